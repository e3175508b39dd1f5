import type { Clock } from '../../common/runtime/effects.ts'
import type { Unmirrored } from '../../common/store/reconcile.ts'
import type { Store } from '../../common/store/store.ts'

const perPass = 500
const askAgainMs = 10_000
const remembered = 20_000

/** The rows that are newer than their custom resources. */
export interface StatusSync {
  /** Passes on what no reconcile has seen. @returns whether it found any row */
  pass(signal: AbortSignal): Promise<boolean>
  /** A reconcile has read the row. */
  seen(row: { readonly commandId: string; readonly version: number }): void
}

/**
 * Finds the rows that are newer than their custom resources. Reports reach any replica, but only
 * the leader writes status, so a report changes only the row, and this loop brings it to the
 * leader. A row whose status is still debounced is found each pass and passed on once per version.
 */
export function createStatusSync(deps: {
  readonly store: Pick<Store, 'findUnmirrored'>
  readonly clock: Clock
  readonly enqueue: (row: Unmirrored) => void
}): StatusSync {
  const passedOn = new Map<string, { version: number; atMs: number }>()
  return {
    seen,
    async pass(signal) {
      const rows = await deps.store.findUnmirrored(perPass)
      if (signal.aborted) return false
      const nowMs = deps.clock.monotonicMs()
      for (const row of rows) {
        const last = passedOn.get(row.commandId)
        if (last?.version === row.version && nowMs - last.atMs < askAgainMs) continue
        seen(row)
        deps.enqueue(row)
      }
      forgetOld(nowMs)
      return rows.length > 0
    },
  }

  /** To the end of the map, which is in the order of the times. */
  function seen({ commandId, version }: { commandId: string; version: number }): void {
    passedOn.delete(commandId)
    passedOn.set(commandId, { version, atMs: deps.clock.monotonicMs() })
  }

  function forgetOld(nowMs: number): void {
    for (const [commandId, { atMs }] of passedOn) {
      if (passedOn.size <= remembered && nowMs - atMs < askAgainMs) return
      passedOn.delete(commandId)
    }
  }
}
