import { vcpusOf } from '../../common/domain/vcpus.ts'
import { createOrFind } from '../../common/kubernetes/resources/create-or-find.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { Action } from '../decide/actions.ts'
import { again, done, effect, recordEvent } from './apply-context.ts'
import type { Applied, ApplyDeps } from './apply-context.ts'
import { loseAttempt } from './apply-outcome.ts'
import { coldReason } from '../decide/adopt-standby.ts'
import { jobFacts } from '../observe/job-facts.ts'
import type { Snapshot } from '../decide/snapshot.ts'
import { refusalOf } from '../status/refusal.ts'

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>

export async function createJob(
  deps: ApplyDeps,
  { manifest, hash }: ActionOf<'createJob'>,
  snapshot: Snapshot,
): Promise<Applied> {
  const { command, row } = snapshot
  if (command === null || row === null) return done
  const { name } = manifest.metadata
  const refusedForMs = deps.memory.refusedForMs(row.commandId, row.round)
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
      return await loseAttempt(deps, foreignJob({ ...snapshot, row }, name), snapshot)
    }
    deps.ownWrites.wrote('Job', object.metadata)
    deps.memory.refused(row.commandId, row.round, null)
    if (created) {
      deps.metrics.jobCreated(row.secondsSinceRound ?? 0)
      deps.warmMetrics.missed(coldReason(row, command, snapshot.settings.runner))
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
    const afterMs = deps.memory.refused(row.commandId, row.round, refusal, random)
    deps.logger.warn('the Job was refused', { command_id: row.commandId, job: name, error })
    recordEvent(deps, command, { type: 'Warning', reason, action: 'CreateJob', note: message })
    return refusal.permanent ? again : { kind: 'later', afterMs }
  }
}

/** The next round has another name; the number of attempts limits the rounds. */
function foreignJob(
  { row, settings }: Snapshot & { row: NonNullable<Snapshot['row']> },
  name: string,
): ActionOf<'loseAttempt'> {
  const { round, attempt } = row
  const { maxAttempts } = settings.runner
  const foreign = { reason: 'ForeignJob', charged: false, sameRound: false } as const
  return {
    kind: 'loseAttempt',
    loss: { round, attempt, podUid: null, maxAttempts, ...foreign },
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
  deps.logger.info('deleted a Job', { command_id: job.commandId, job: name, round: job.round, why })
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
