import { createWakeUp } from './wake-up.ts'
import { dispatchCommand } from './dispatch-command.ts'
import type { Effects } from '../../common/effects.ts'
import type { FfmpegCommand, StoredFileObject } from '../../common/kubernetes/objects.ts'
import type { Resource } from '../../common/kubernetes/resource.ts'
import type { Logger } from '../../common/logger.ts'
import type { Store } from '../../common/store/store.ts'
import type { UndispatchedCommand } from '../../common/store/dispatch.ts'
import type { DispatchMetrics } from './dispatch-metrics.ts'

export interface Dispatcher {
  /** Runs until the signal; what is under way then is finished. Never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Rows may be waiting: look now instead of at the next poll. */
  readonly nudge: () => void
}

export interface DispatcherDeps {
  readonly store: Pick<Store, 'claimUndispatched' | 'markDispatched' | 'commitOutcome'>
  readonly commands: Resource<FfmpegCommand>
  readonly storedFiles: Resource<StoredFileObject>
  readonly namespace: string
  /** Most custom resources alive at a time: etcd holds them all, the database holds the rest. */
  readonly liveCommands: number
  /** An idle dispatcher looks this often for rows that other replicas left behind. */
  readonly pollMs?: number
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: DispatchMetrics
}

const defaultPollMs = 100
/** How long a crashed dispatcher's rows stay with it. A slow one that overruns meets a 409, no harm. */
const leaseSeconds = 2
const batchSize = 64
/** kube-apiserver creates 393 objects/s on one connection, 778 on 16. */
const concurrency = 16
const maxBackoffMs = 2_000

/** What became of the rows of one claim. */
interface Batch {
  readonly done: number
  readonly failed: { readonly commandId: string | null; readonly error: unknown }[]
}

/**
 * Makes the custom resource of every row that has none. The row is the truth, the name follows from
 * it, and "exists" is success, so it may crash anywhere and be run by any number of replicas.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { effects, pollMs = defaultPollMs } = deps
  const wakeUp = createWakeUp(effects.clock)
  return {
    nudge: wakeUp.wake,
    async run(signal) {
      let failures = 0
      while (!signal.aborted) {
        const batch = await dispatchBatch(deps, failures > 0 ? concurrency : batchSize)
        failures = isTrouble(batch) ? failures + 1 : 0
        report(deps, batch, failures)
        if (failures > 0) await wakeUp.pause(backoffMs(failures, effects.random()), signal)
        else if (batch.done + batch.failed.length === 0) await wakeUp.wait(pollMs, signal)
      }
    },
  }
}

/** Nothing of it worked: the trouble is not with one row, and trying faster helps nobody. */
function isTrouble({ done, failed }: Batch): boolean {
  return done === 0 && failed.length > 0
}

/** At most 2 s, so that an outage that ends is noticed soon; with jitter, for there are replicas. */
function backoffMs(failures: number, random: number): number {
  const full = Math.min(maxBackoffMs, 100 * 2 ** Math.min(failures, 10))
  return full / 2 + (full / 2) * random
}

async function dispatchBatch(deps: DispatcherDeps, limit: number): Promise<Batch> {
  const claimed = await claim(deps, limit)
  if (claimed instanceof Error) return { done: 0, failed: [{ commandId: null, error: claimed }] }
  const batch = { done: 0, failed: [] as Batch['failed'] }
  const waiting = claimed.values()
  // Several workers on one iterator: each takes the next row as soon as it is free.
  const worker = async () => {
    for (const row of waiting) {
      try {
        await dispatchCommand(deps, row)
        batch.done += 1
      } catch (error) {
        deps.metrics.counted('failed')
        // The row keeps its place: the next claim after the lease tries again.
        batch.failed.push({ commandId: row.commandId, error })
        if (batch.failed.length >= concurrency && isTrouble(batch)) return
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, claimed.length) }, worker))
  return batch
}

async function claim(deps: DispatcherDeps, limit: number): Promise<UndispatchedCommand[] | Error> {
  const query = { limit, liveLimit: deps.liveCommands, leaseSeconds }
  try {
    return await deps.effects.failpoint('dispatch.rows_claimed', () =>
      deps.store.claimUndispatched(query),
    )
  } catch (error) {
    deps.metrics.counted('claim_failed')
    return error instanceof Error ? error : new Error('claim failed', { cause: error })
  }
}

/** An outage of an hour is a line a minute, not one for each row and try. */
function report({ logger }: DispatcherDeps, batch: Batch, failures: number): void {
  const [first] = batch.failed
  if (first === undefined) return
  if (failures > 0) {
    if (failures % 30 === 1) logger.warn('cannot dispatch, waiting', { error: first.error })
    return
  }
  for (const { commandId, error } of batch.failed) {
    logger.warn('custom resource not created', { command_id: commandId, error })
  }
}
