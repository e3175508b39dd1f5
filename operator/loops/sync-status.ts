import type { Clock } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'

const perRound = 500
const askAgainMs = 10_000
const remembered = 20_000

/**
 * Finds the rows that are newer than their custom resources. Reports reach any replica, but only
 * the leader writes status, so a report changes only the row, and this loop brings it to the
 * leader. A row whose status is still debounced is found each round and passed on once per version.
 * @returns per round whether it found any
 */
export function createMirror(deps: {
  readonly store: Pick<Store, 'findUnmirrored'>
  readonly clock: Clock
  readonly enqueue: (commandId: string, final: boolean) => void
}): (signal: AbortSignal) => Promise<boolean> {
  const passedOn = new Map<string, { version: number; atMs: number }>()
  return async (signal) => {
    const rows = await deps.store.findUnmirrored(perRound)
    if (signal.aborted) return false
    const nowMs = deps.clock.monotonicMs()
    for (const { commandId, version, final } of rows) {
      const last = passedOn.get(commandId)
      if (last?.version === version && nowMs - last.atMs < askAgainMs) continue
      passedOn.delete(commandId)
      passedOn.set(commandId, { version, atMs: nowMs })
      deps.enqueue(commandId, final)
    }
    forgetOld(nowMs)
    return rows.length > 0
  }

  function forgetOld(nowMs: number): void {
    for (const [commandId, { atMs }] of passedOn) {
      if (passedOn.size <= remembered && nowMs - atMs < askAgainMs) return
      passedOn.delete(commandId)
    }
  }
}
