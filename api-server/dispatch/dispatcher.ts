import { createOrFind } from '../../common/kubernetes/create-or-find.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { DatabaseUnavailable } from '../../common/store.ts'
import { isSameCommand } from './same-command.ts'
import { createWakeUp } from './wake-up.ts'
import { customResourceFor } from './to-custom-resource.ts'
import type { Effects } from '../../common/effects.ts'
import type { FfmpegCommand } from '../../common/kubernetes/objects.ts'
import type { Resource } from '../../common/kubernetes/resource.ts'
import type { Logger } from '../../common/logger.ts'
import type { Store, UndispatchedCommand } from '../../common/store.ts'
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
  readonly namespace: string
  /** Most custom resources alive at a time: etcd holds them all, the database holds the rest. */
  readonly liveCommands: number
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: DispatchMetrics
}

/** An idle dispatcher looks this often for rows that other replicas left behind. */
const pollMs = 100
/** How long a crashed dispatcher's rows stay with it. A slow one that overruns meets a 409, no harm. */
const leaseSeconds = 2
const batchSize = 64
/** kube-apiserver creates 393 objects/s on one connection, 778 on 16. */
const concurrency = 16
const maxBackoffMs = 2_000
const callOptions = { deadlineMs: 5_000, retry: false }

type Result = 'created' | 'existing' | 'refused' | 'failed'

/**
 * Makes the custom resource of every row that has none. The row is the truth, the name follows from
 * it, and "exists" is success, so it may crash anywhere and be run by any number of replicas.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { effects } = deps
  const wakeUp = createWakeUp(effects.clock)
  return {
    nudge: wakeUp.wake,
    async run(signal) {
      let failures = 0
      while (!signal.aborted) {
        const results = await dispatchBatch(deps, failures > 0 ? concurrency : batchSize)
        failures = trouble(results) ? failures + 1 : 0
        if (failures > 0) await wakeUp.pause(backoffMs(failures, effects.random()), signal)
        else if (results.length === 0) await wakeUp.wait(pollMs, signal)
      }
    },
  }
}

/** Nothing of a batch worked: the trouble is not with one row, and trying faster helps nobody. */
function trouble(results: readonly Result[]): boolean {
  return results.length > 0 && results.every((result) => result === 'failed')
}

function backoffMs(failures: number, random: number): number {
  const full = Math.min(maxBackoffMs, 100 * 2 ** Math.min(failures, 10))
  return full / 2 + (full / 2) * random
}

async function dispatchBatch(deps: DispatcherDeps, limit: number): Promise<Result[]> {
  const rows = await claim(deps, limit)
  if (rows === null) return ['failed']
  const results: Result[] = []
  const waiting = rows.values()
  // Several workers on one iterator: each takes the next row as soon as it is free.
  const worker = async () => {
    for (const row of waiting) {
      results.push(await dispatchOne(deps, row))
      // The API server does not answer; the rows behind come back when their lease ends.
      if (results.length >= concurrency && trouble(results)) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, rows.length) }, worker))
  return results
}

async function claim(deps: DispatcherDeps, limit: number): Promise<UndispatchedCommand[] | null> {
  const query = { limit, liveLimit: deps.liveCommands, leaseSeconds }
  try {
    return await deps.effects.failpoint('dispatch.rows_claimed', () =>
      deps.store.claimUndispatched(query),
    )
  } catch (error) {
    deps.metrics.counted('claim_failed')
    deps.logger[error instanceof DatabaseUnavailable ? 'warn' : 'error'](
      'cannot claim commands to dispatch',
      { error },
    )
    return null
  }
}

async function dispatchOne(deps: DispatcherDeps, row: UndispatchedCommand): Promise<Result> {
  const log = deps.logger.child({ command_id: row.commandId, account: row.accountName })
  try {
    const result = await createResource(deps, row, log)
    deps.metrics.counted(result)
    return result
  } catch (error) {
    deps.metrics.counted('failed')
    // The row keeps its place: the next claim after the lease tries again.
    log.warn('custom resource not created', { error })
    return 'failed'
  }
}

async function createResource(
  deps: DispatcherDeps,
  row: UndispatchedCommand,
  log: Logger,
): Promise<Result> {
  const wanted = customResourceFor(row)
  const found = await deps.effects
    .failpoint('dispatch.cr_created', () =>
      createOrFind(deps.commands, deps.namespace, wanted, callOptions),
    )
    .catch((error: unknown) => {
      if (isKubeError(error, 'invalid')) return error
      throw error
    })
  if (found instanceof Error) {
    log.error('the API server refuses the custom resource', { error: found })
    await endRefused(deps, row, 'The cluster refused the command')
    return 'refused'
  }
  if (!found.created && !isSameCommand(wanted.spec, found.object.spec)) {
    log.error('another object has the name of the custom resource', { name: wanted.metadata.name })
    await endRefused(deps, row, "Another object in the cluster has the command's name")
    return 'refused'
  }
  await deps.store.markDispatched(row.commandId, found.object.metadata.uid)
  log.info('dispatched', { created: found.created })
  return found.created ? 'created' : 'existing'
}

/** It would be refused for ever; whoever waits for the command is told now. */
async function endRefused(
  { store }: DispatcherDeps,
  { commandId }: UndispatchedCommand,
  errorMessage: string,
): Promise<void> {
  await store.commitOutcome({
    commandId,
    attempt: null,
    outcome: { status: 'FAILED', errorStatus: 'INTERNAL_ERROR', errorMessage },
    steps: null,
    usage: null,
    logs: [],
  })
}
