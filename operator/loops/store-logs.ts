import { chunksByStep, logText } from '../../common/store/logs.ts'
import { createEachItem } from '../../common/runtime/each-item.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { SmallObjects } from '../../common/storage/object-store.ts'
import { logKey } from '../../common/domain/storage-keys.ts'
import type { StoredChunk } from '../../common/store/logs.ts'
import type { LifecycleStore } from '../../common/store/store.ts'
import { effect } from '../apply/apply-context.ts'
import type { Term } from '../machinery/election/leader.ts'
import { createItemBackoff } from '../machinery/item-backoff.ts'
import { drain } from './drain.ts'
import type { DrainSteps, SweepPass } from './drain.ts'
import { isStoreOutage } from './outage.ts'

export interface StoreLogsDeps {
  readonly store: Pick<LifecycleStore, 'findLogsToStore' | 'readLogs' | 'recordLogObject'>
  readonly storage: Pick<SmallObjects, 'putBytes'>
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly logger: Logger
}

/** A client that follows the log of a command reads its last rows within this time. */
const afterSeconds = 5
const pageSize = 500
const backoffMs = { first: 5_000, longest: 600_000, jitter: [0.75, 1.25] } as const

interface LogsToStore {
  readonly commandId: string
  readonly accountId: string
}

/**
 * Makes one object of the log rows of each command that has ended. The rows are deleted when the
 * object exists; an interrupted run is repeated and writes the same bytes.
 */
export function createLogStorage(deps: StoreLogsDeps): SweepPass {
  const { store } = deps
  const { clock } = deps.effects
  const backoff = createItemBackoff({ ...deps.effects, waits: backoffMs })
  const eachItem = createEachItem({ name: 'logs', clock, logger: deps.logger })
  const steps: DrainSteps<LogsToStore> = {
    async find() {
      const except = backoff.waiting()
      const query = { olderThanSeconds: afterSeconds, except, limit: pageSize }
      const found = await store.findLogsToStore(query)
      if (found.length < pageSize) {
        backoff.keepOnly(new Set([...found.map(({ commandId }) => commandId), ...except]))
      }
      return found
    },
    isLast: (page) => page.length < pageSize,
    async sweep(logs) {
      await storeLog(deps, logs)
      backoff.succeeded(logs.commandId)
    },
    postpone: ({ commandId }) => backoff.failed(commandId),
    describe: ({ commandId }) => ({ command_id: commandId }),
    accountsOf: ({ accountId }) => [accountId],
    isOutage: isStoreOutage,
  }
  return (signal) => drain({ clock, eachItem }, steps, signal)
}

async function storeLog(
  { store, storage, ...deps }: StoreLogsDeps,
  { commandId, accountId }: LogsToStore,
): Promise<void> {
  const { chunks } = await store.readLogs(commandId, null)
  // Another leader has done it: the rows are gone and the object exists.
  if (chunks.length === 0) return
  const steps = bytesByStep(chunks)
  const key = logKey({ accountId, commandId })
  const object = { key, contentType: 'text/plain; charset=utf-8', attachment: false }
  await effect(deps, 'logs.object_put', () =>
    storage.putBytes({ ...object, bytes: Buffer.concat(steps) }),
  )
  const stepBytes = steps.map(({ length }) => length)
  await effect(deps, 'logs.recorded', () => store.recordLogObject(commandId, { key, stepBytes }))
}

function bytesByStep(chunks: readonly StoredChunk[]): Buffer[] {
  const byStep = chunksByStep(chunks)
  const count = Math.max(...byStep.keys()) + 1
  return Array.from({ length: count }, (_, step) => Buffer.from(logText(byStep.get(step) ?? [])))
}
