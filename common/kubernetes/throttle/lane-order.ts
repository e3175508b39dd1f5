/**
 * Purposes of a request, most urgent first:
 * - `start`: what a command needs to run: its custom resource, its Job; watches and the first LIST
 * - `end`: what an end needs: its status, its finalizer, the lifetime of its Job
 * - `show`: status of what still waits or runs
 * - `tidy`: deletes of finished objects, Events, LISTs that look for lost events
 */
export const requestLanes = ['start', 'end', 'show', 'tidy'] as const
export type RequestLane = (typeof requestLanes)[number]

/** A lane that always has requests gets at least one turn in this many. */
const turnsPerSure = 10

/**
 * Chooses whose turn is next: the most urgent lane, but each lane is sure of 10 % of all turns. Strict
 * order alone would stop the deletes, and with them the room for new objects, as long as commands start.
 */
export interface LaneOrder {
  /** @param ready lanes with a request that may go now, in any order; not empty */
  next(ready: readonly RequestLane[]): RequestLane
}

export function createLaneOrder(): LaneOrder {
  const passed: Record<RequestLane, number> = { start: 0, end: 0, show: 0, tidy: 0 }
  return {
    next(ready) {
      const inOrder = requestLanes.filter((lane) => ready.includes(lane))
      const chosen =
        inOrder.find((lane) => passed[lane] >= turnsPerSure - 1) ?? inOrder[0] ?? 'start'
      for (const lane of requestLanes) {
        passed[lane] = lane === chosen || !ready.includes(lane) ? 0 : passed[lane] + 1
      }
      return chosen
    },
  }
}
