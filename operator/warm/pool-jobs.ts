import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { KubeError } from '../../common/kubernetes/kube-error.ts'
import type { Effects, FailpointName } from '../../common/runtime/effects.ts'
import type { Job } from '../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { WarmRunnerStore } from '../../common/store/warm-runners.ts'
import type { Term } from '../machinery/election/leader.ts'
import type { RunnerJob } from '../resources/job.ts'
import type { RunnerSettings } from '../resources/runner-settings.ts'
import { warmRunnerJobFor } from '../resources/warm-runner-job.ts'
import type { KnownWarmRunners } from './known-warm-runners.ts'
import type { PoolPlan, WarmRunner } from './pool.ts'

/** Writes the Jobs of the pool. */
export interface PoolJobs {
  retire(candidates: PoolPlan['retire'], signal: AbortSignal): Promise<void>
  refill(count: number, signal: AbortSignal): Promise<void>
}

export interface PoolJobsDeps {
  readonly store: Pick<WarmRunnerStore, 'boundWarmRunners'>
  readonly jobs: Pick<Resource<Job>, 'create' | 'delete'>
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly logger: Logger
}

/** @param onRefused the cluster does not take such a Job now */
export function createPoolJobs(
  { store, jobs, term, effects, logger }: PoolJobsDeps,
  runner: RunnerSettings,
  known: KnownWarmRunners,
  onRefused: (error: KubeError) => void,
): PoolJobs {
  let number = 0

  return {
    /**
     * Deletes only what the database does not know, at the version that it was seen with: another leader
     * that has bound it since changes the version by adopting it.
     */
    async retire(candidates, signal) {
      if (candidates.length === 0) return
      const names = candidates.map(({ warmRunner }) => warmRunner.job.metadata.name)
      for (const name of names) known.reserve(name)
      const bound = await store.boundWarmRunners(names)
      const isLive = new Map(bound.map((each) => [each.warmRunnerJob, each.isLive]))
      for (const { warmRunner, why } of candidates) {
        signal.throwIfAborted()
        const { name } = warmRunner.job.metadata
        if (isLive.get(name) !== true) await deleteOne(warmRunner, why)
        known.lookUpAgain(name)
      }
    },
    async refill(count, signal) {
      if (runner.warm === null) return
      for (let index = 0; index < count; index += 1) {
        signal.throwIfAborted()
        if (!(await createOne(warmRunnerJobFor(runner, runner.warm, nextNumber())))) return
      }
    },
  }

  async function deleteOne({ job }: WarmRunner, why: string): Promise<void> {
    const { namespace, name, uid, resourceVersion } = job.metadata
    const target = { namespace, name, uid, resourceVersion }
    await write('operator.warm_runner_retired', () =>
      jobs.delete(target, { propagationPolicy: 'Background', lane: 'tidy' }),
    )
    logger.info('retired a warm runner', { job: name, why })
  }

  async function createOne(manifest: RunnerJob): Promise<boolean> {
    const { namespace, name } = manifest.metadata
    known.created(name)
    try {
      await write('operator.warm_runner_created', () =>
        jobs.create(namespace, manifest, { lane: 'tidy' }),
      )
      return true
    } catch (error) {
      // Created by a request of ours whose reply was lost, as the name is new.
      if (isKubeError(error, 'exists')) return true
      if (!isKubeError(error, 'quota', 'forbidden', 'invalid', 'absent')) throw error
      known.refused(name)
      onRefused(error)
      return false
    }
  }

  /** The precondition of the write is its guard; this only keeps a process that was stopped from trying. */
  function write<T>(name: FailpointName, run: () => Promise<T>): Promise<T> {
    term.mustHold()
    return effects.failpoint(name, run)
  }

  /** Larger than any before: the database refuses a second binding of a name. */
  function nextNumber(): number {
    number = Math.max(number + 1, effects.clock.wall().getTime())
    return number
  }
}
