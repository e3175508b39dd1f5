import { chunksByStep, logText } from '../../common/store/logs.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { SmallObjects } from '../../common/storage/object-store.ts'
import { logKey } from '../../common/domain/storage-keys.ts'
import type { StoredChunk } from '../../common/store/logs.ts'
import type { LifecycleStore } from '../../common/store/store.ts'
import { effect } from '../apply/apply-context.ts'
import type { Term } from '../machinery/election/leader.ts'

export interface StoreLogsDeps {
  readonly store: Pick<LifecycleStore, 'findLogsToStore' | 'readLogs' | 'recordLogObject'>
  readonly storage: Pick<SmallObjects, 'putBytes'>
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
}

/** A client that follows the log of a command reads its last rows within this time. */
const afterSeconds = 5
const perRound = 500

/**
 * Makes one object of the log rows of each command that has ended. The rows are deleted when the
 * object exists; an interrupted run is repeated and writes the same bytes.
 * @returns whether there were any
 */
export async function storeLogs(deps: StoreLogsDeps, signal: AbortSignal): Promise<boolean> {
  const { store, storage } = deps
  const found = await store.findLogsToStore({ olderThanSeconds: afterSeconds, limit: perRound })
  for (const { commandId, accountId } of found) {
    if (signal.aborted) break
    const { chunks } = await store.readLogs(commandId, null)
    // Another leader has done it: the rows are gone and the object exists.
    if (chunks.length === 0) continue
    const steps = bytesByStep(chunks)
    const key = logKey({ accountId, commandId })
    const object = { key, contentType: 'text/plain; charset=utf-8', attachment: false }
    await effect(deps, 'logs.object_put', () =>
      storage.putBytes({ ...object, bytes: Buffer.concat(steps) }),
    )
    const stepBytes = steps.map(({ length }) => length)
    await effect(deps, 'logs.recorded', () => store.recordLogObject(commandId, { key, stepBytes }))
  }
  return found.length > 0
}

function bytesByStep(chunks: readonly StoredChunk[]): Buffer[] {
  const byStep = chunksByStep(chunks)
  const count = Math.max(...byStep.keys()) + 1
  return Array.from({ length: count }, (_, step) => Buffer.from(logText(byStep.get(step) ?? [])))
}
