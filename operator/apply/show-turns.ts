import type { RequestThrottle } from '../../common/kubernetes/throttle/request-throttle.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { ShownChange } from '../status/status-patch.ts'

/**
 * The objects whose status is to be patched and that wait for a turn. A waiting object holds no worker
 * and no patch: it is woken when its turn has come, and then shows what is newest. So thousands of
 * running commands delay no start, and an object is patched once for all that changed meanwhile.
 */
export interface ShowTurns {
  /** @returns whether the object may be patched now; if not, it will be woken */
  take(commandId: string, what: Exclude<ShownChange, 'end'>): boolean
  /** The command has nothing to show, or is gone. */
  forget(commandId: string): void
  /** Wakes no object any more. */
  stop(): void
}

export function createShowTurns(deps: {
  readonly throttle: Pick<RequestThrottle, 'tryTake' | 'request' | 'waited'>
  readonly clock: Clock
  readonly wake: (commandId: string) => void
}): ShowTurns {
  const { throttle, clock } = deps
  /** Since when each object waits. Another state comes before mere progress, which comes every second. */
  const lines = { state: new Map<string, number>(), progress: new Map<string, number>() }
  /** Woken objects that have not used their turn yet. */
  const granted = new Set<string>()
  let isRequested = false

  return {
    take(commandId, what) {
      if (granted.delete(commandId)) return true
      const sinceMs = lines.state.get(commandId) ?? lines.progress.get(commandId)
      if (sinceMs === undefined && throttle.tryTake('show')) {
        throttle.waited('show', 0)
        return true
      }
      if (what === 'state') lines.progress.delete(commandId)
      if (what === 'state' || sinceMs === undefined) {
        lines[what].set(commandId, sinceMs ?? clock.monotonicMs())
      }
      requestTurn()
      return false
    },
    forget(commandId) {
      granted.delete(commandId)
      lines.state.delete(commandId)
      lines.progress.delete(commandId)
    },
    stop() {
      lines.state.clear()
      lines.progress.clear()
    },
  }

  /** One request at a time stands for all: who goes is chosen when the turn comes. */
  function requestTurn(): void {
    if (isRequested || lines.state.size + lines.progress.size === 0) return
    isRequested = true
    throttle.request('show', () => {
      isRequested = false
      const line = lines.state.size > 0 ? lines.state : lines.progress
      const [first] = line
      if (first !== undefined) {
        const [commandId, sinceMs] = first
        line.delete(commandId)
        granted.add(commandId)
        throttle.waited('show', (clock.monotonicMs() - sinceMs) / 1_000)
        deps.wake(commandId)
      }
      requestTurn()
    })
  }
}
