import { vcpusOf } from '../../common/domain/vcpus.ts'
import { createOrFind } from '../../common/kubernetes/resources/create-or-find.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { ActionOf } from '../decide/actions.ts'
import { again, done, effect, recordEvent } from './apply-context.ts'
import type { Applied, ApplyDeps } from './apply-context.ts'
import { loseAttempt } from './commit-outcome.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import { jobFacts } from '../observe/job-facts.ts'
import type { RecordedSnapshot } from '../decide/snapshot.ts'
import { refusalOf } from '../status/refusal.ts'

export async function createJob(
  deps: ApplyDeps,
  { command, manifest, hash, coldReason }: ActionOf<'createJob'>,
  snapshot: RecordedSnapshot,
): Promise<Applied> {
  const { row } = snapshot
  const { name } = manifest.metadata
  const refusedForMs = deps.timers.refusedForMs(row.commandId, row.jobGeneration)
  if (refusedForMs > 0) return { kind: 'later', afterMs: refusedForMs }
  try {
    const { object, created } = await effect(deps, 'operator.job_created', () =>
      createOrFind(deps.jobs, manifest.metadata.namespace, manifest, { lane: 'start' }),
    )
    const found = jobFacts(object)
    if (found.ownerUid !== command.metadata.uid || found.specHash !== hash) {
      deps.logger.error('name conflict: the Job has another owner', {
        command_id: row.commandId,
        job: name,
      })
      return await loseAttempt(deps, foreignJob(command, snapshot, name), snapshot)
    }
    deps.ownWrites.wrote('Job', object.metadata)
    deps.timers.refused(row.commandId, row.jobGeneration, null)
    if (created) {
      deps.metrics.jobCreated(row.secondsSinceGeneration ?? 0)
      deps.warmMetrics.missed(coldReason)
      recordEvent(deps, command, {
        type: 'Normal',
        reason: 'JobCreated',
        action: 'CreateJob',
        note: `Created Job ${name} with ${vcpusOf(row)} vCPUs`,
      })
    }
    return done
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    const { reason, message } = refusal
    const random = deps.effects.random()
    const afterMs = deps.timers.refused(row.commandId, row.jobGeneration, refusal, random)
    deps.logger.warn('the Job was refused', { command_id: row.commandId, job: name, error })
    recordEvent(deps, command, { type: 'Warning', reason, action: 'CreateJob', note: message })
    return refusal.permanent ? again : { kind: 'later', afterMs }
  }
}

/** The next generation has another name; the number of attempts limits the generations. */
function foreignJob(
  command: CommandFacts,
  { row, settings }: RecordedSnapshot,
  name: string,
): ActionOf<'loseAttempt'> {
  const { jobGeneration, attempt } = row
  const { maxAttempts } = settings.runner
  const foreign = { reason: 'ForeignJob', charged: false, sameGeneration: false } as const
  return {
    kind: 'loseAttempt',
    command,
    loss: { jobGeneration, attempt, podUid: null, maxAttempts, ...foreign },
    evidence: { job: name },
  }
}

/** Background: foreground waits for a dead node, and `orphan` leaves pods without a controller. */
export async function deleteJob(
  deps: ApplyDeps,
  { job, why }: ActionOf<'deleteJob'>,
): Promise<Applied> {
  const { namespace, name, uid } = job.metadata
  const answer = await effect(deps, 'operator.job_deleted', () =>
    deps.jobs.delete({ namespace, name, uid }, { propagationPolicy: 'Background', lane: 'end' }),
  )
  if (answer === 'absent') {
    // The event of its end was lost. A stale cache entry would hold the quota for minutes.
    await deps.caches.jobs.refresh({ namespace, name })
    return again
  }
  deps.logger.info('deleted a Job', {
    command_id: job.commandId,
    job: name,
    round: job.jobGeneration,
    why,
  })
  return done
}

export async function setJobTtl(
  deps: ApplyDeps,
  { job, seconds }: ActionOf<'setJobTtl'>,
): Promise<Applied> {
  try {
    const { namespace, name, uid } = job
    const patched = await effect(deps, 'operator.job_ttl_set', () =>
      deps.jobs.mergePatch(
        { namespace, name, uid },
        { spec: { ttlSecondsAfterFinished: seconds } },
        { lane: 'end' },
      ),
    )
    deps.ownWrites.wrote('Job', patched.metadata)
  } catch (error) {
    if (!isKubeError(error, 'absent', 'conflict')) throw error
    await deps.caches.jobs.refresh(job)
    // One that is gone already needs none. Else no later event of it is looked at.
    return isKubeError(error, 'conflict') ? again : done
  }
  return done
}
