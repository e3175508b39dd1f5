import { evictedByQueue, lostOnSpot } from '../../common/domain/failures.ts'
import { withoutClusterNames } from '../../common/kubernetes/status-message.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import { plan } from './actions.ts'
import type { Action, CommitFailure, CreateJob, Plan } from './actions.ts'
import { adoptActions, sizedVerdict } from './adopt-warm-runner.ts'
import { coldReason } from './cold-reason.ts'
import { isUnadopted } from '../observe/job-facts.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import { backoffLimitOf, jobFor } from '../resources/job.ts'
import { jobGoesOn } from './next-pod.ts'
import { podOutcome } from './pod-outcome.ts'
import type { WholeSnapshot } from './snapshot.ts'
import { statusToShow } from './status-to-show.ts'
import { attemptsAllowed, lossReasons } from '../status/loss.ts'
import { startWaitOf } from '../status/refusal.ts'
import type { LossReason } from '../status/loss.ts'
import { longestQueueShown } from '../status/state.ts'
import type { Evidence, Verdict } from '../status/verdict.ts'

/** A command whose row is not final. */
export function reconcileLive(snapshot: WholeSnapshot): Plan {
  const { command, row } = snapshot
  const { shown } = command
  // The object's status shows its end, so the row comes from a database restored to an earlier
  // time: a finished command must not run again.
  if (shown.ended && !shown.rejected) {
    return plan([{ kind: 'recordShownOutcome', command }])
  }
  if (row.cancelRequested || command.cancel || command.deleting) {
    const message =
      command.deleting && !row.cancelRequested ? deletedMessage : 'Cancelled by request'
    return plan([
      { ...failure(row, 'CANCELLED', message, {}), cancelledBy: cancelledInCluster(command) },
    ])
  }
  // An uninstallation removed it, and the object is there again at the next installation.
  if (!command.recordFinalizer) return plan([{ kind: 'addFinalizer', command }])
  return row.admitted ? reconcileAdmitted(snapshot) : awaitAdmission(snapshot)
}

function cancelledInCluster({ deleting, cancel }: CommandFacts): string | null {
  if (deleting) return 'deletion of the object'
  return cancel ? 'spec.cancel of the object' : null
}

const deletedMessage = 'Cancelled: the object was deleted in the cluster'

function awaitAdmission(snapshot: WholeSnapshot): Plan {
  const { queuePosition } = snapshot.row
  const isNear = queuePosition !== null && queuePosition <= longestQueueShown
  const actions: Action[] = [
    ...staleJobs(snapshot),
    { kind: 'wakeAdmission' },
    statusToShow(snapshot),
  ]
  return plan(actions, isNear ? queuePositionMs : null)
}

/** Jobs of earlier generations, and that of a command which admission has taken back into the queue. */
function staleJobs({ jobs, row, generation }: WholeSnapshot): Action[] {
  return jobs
    .filter(
      (job) => job.jobGeneration < row.jobGeneration || job.jobGeneration <= row.returnedGeneration,
    )
    .filter((job) => !job.deleting && job.specHash === generation.specHash)
    .map((job) => ({ kind: 'deleteJob', job, why: 'it is of an earlier generation' }))
}

const queuePositionMs = 30_000

function reconcileAdmitted(snapshot: WholeSnapshot): Plan {
  const { row } = snapshot
  const stale = staleJobs(snapshot)
  const foreign = foreignJob(snapshot)
  if (foreign === null && hasUnlikelyHolder(snapshot) && !snapshot.confirmed.has('pods')) {
    return plan([{ kind: 'confirm', what: 'pods', name: row.commandId }])
  }
  const verdict: Verdict = foreign ?? sizedVerdict(snapshot, podOutcome(snapshot))
  switch (verdict.kind) {
    case 'failed':
      return plan([...stale, failure(row, verdict.errorStatus, verdict.message, verdict.evidence)])
    case 'reported': {
      const { podUid, result, evidence } = verdict
      if (row.attempt === null) {
        return plan([...stale, { kind: 'restoreReported', attempt: podUid, result }])
      }
      return plan([...stale, { kind: 'commitResult', attempt: row.attempt, result, evidence }])
    }
    case 'lost':
      return plan([...stale, ...lossActions(snapshot, verdict)])
    case 'wait':
    case 'none': {
      const adopt = adoptActions(snapshot)
      const seconds = verdict.kind === 'wait' ? verdict.seconds : null
      const start = [...startActions(snapshot), ...adopt.actions, ...startWait(snapshot)]
      const actions = [...stale, ...start, statusToShow(snapshot)]
      return plan(actions, soonestMs([seconds, adopt.againSeconds]))
    }
  }
}

/** The record says what of the cluster holds an admitted command up. An attempt makes that void by itself. */
function startWait({ row, generation }: WholeSnapshot): Action[] {
  const reason = startWaitOf(generation.waiting)
  const isRecorded = row.attempt !== null || row.startWait === reason
  return isRecorded ? [] : [{ kind: 'recordStartWait', reason }]
}

function soonestMs(seconds: readonly (number | null)[]): number | null {
  const due = seconds.filter((each) => each !== null)
  return due.length === 0 ? null : Math.ceil(Math.min(...due) * 1_000)
}

/**
 * The Job has started another pod, though the cache shows that the one with the command lives.
 * Either Kubernetes started it twice, or the end of the first was missed: then every further pod
 * would be refused until the Job's own deadline ends the command.
 */
function hasUnlikelyHolder({ row, generation }: WholeSnapshot): boolean {
  const living = generation.pods.filter((pod) => !isTerminal(pod))
  return living.length > 1 && living.some(({ metadata }) => metadata.uid === row.attempt)
}

/** Never adopted, never changed: the next generation has another name. */
function foreignJob(snapshot: WholeSnapshot): Verdict | null {
  const { job, specHash } = snapshot.generation
  if (job === null) return null
  if (isUnadopted(job)) return foreignWarmRunner(snapshot, job)
  const ours = job.ownerUid === snapshot.command.metadata.uid && job.specHash === specHash
  const evidence = { job: job.metadata.name }
  return ours ? null : { kind: 'lost', reason: 'ForeignJob', podUid: null, evidence }
}

/** A Job that has taken the name of the one whose pod was given the command. */
function foreignWarmRunner({ row, generation }: WholeSnapshot, job: JobFacts): Verdict | null {
  const { pods, gonePods } = generation
  const pod = [...pods, ...gonePods].find(({ metadata }) => metadata.uid === row.attempt)
  if (pod === undefined || pod.warmRunner?.job?.uid === job.metadata.uid) return null
  const evidence = { job: job.metadata.name, pod: pod.metadata.name }
  return { kind: 'lost', reason: 'ForeignJob', podUid: row.attempt, evidence }
}

function lossActions(
  { command, row, generation, confirmed, settings }: WholeSnapshot,
  { reason, podUid, evidence }: Extract<Verdict, { kind: 'lost' }>,
): Action[] {
  const seen = [...generation.pods, ...generation.gonePods].some(
    ({ metadata }) => metadata.uid === podUid,
  )
  // Only the cache shows the pod as absent, and it may be stale.
  if (podUid !== null && !seen && !confirmed.has('pods')) {
    return [{ kind: 'confirm', what: 'pods', name: row.commandId }]
  }
  const { maxAttempts, kueue } = settings.runner
  const allowed = { attempts: maxAttempts, evictions: kueue?.maxEvictions ?? 0 }
  const goesOn =
    reason === evictedByQueue || jobGoesOn(generation, podUid, backoffLimitOf(settings.runner))
  return [
    {
      kind: 'loseAttempt',
      command,
      loss: {
        jobGeneration: row.jobGeneration,
        attempt: row.attempt,
        podUid,
        reason,
        charged: lossReasons[reason].charged,
        sameGeneration: !needsAnotherJob.includes(reason) && goesOn,
        maxAttempts: attemptsAllowed(reason, allowed),
      },
      evidence,
    },
  ]
}

/**
 * A dead node's pod never ends for its Job. After disruptions a Job waits 10, 20, 40, up to 600 s before its next
 * pod, which six of them on spot nodes would add up to ten minutes; another Job starts one at once.
 */
const needsAnotherJob: readonly LossReason[] = ['NodeLost', lostOnSpot]

/** A pod that waits for a command starts FFmpeg at once, so it is asked for first. */
function startActions(snapshot: WholeSnapshot): Action[] {
  const action = jobToCreate(snapshot)
  if (action === null) return []
  const mayBeWarm = action.kind === 'createJob' && ['empty', 'upload'].includes(action.coldReason)
  return [mayBeWarm ? { kind: 'bindWarmRunner', otherwise: action } : action]
}

/**
 * Only while no pod was given the command in this generation: a Job that vanished under its attempt is a
 * loss, not something to make again under the same name.
 */
function jobToCreate({
  command,
  row,
  generation,
  refusal,
  settings,
}: WholeSnapshot): CreateJob | CommitFailure | null {
  const { job, specHash, limits } = generation
  if (job !== null || row.attempt !== null) return null
  if (refusal?.permanent === true) {
    const why = withoutClusterNames(refusal.message)
    return failure(row, 'INTERNAL_ERROR', `The cluster refused the runner's Job: ${why}`, refusal)
  }
  const owner = { kind: command.kind, ...command.metadata }
  return {
    kind: 'createJob',
    command,
    manifest: jobFor({ ...row, specHash, limits }, owner, settings.runner),
    hash: specHash,
    coldReason: coldReason(row, command, settings.runner),
  }
}

function failure(
  row: ReconcileRow,
  errorStatus: CommitFailure['errorStatus'],
  message: string,
  evidence: Evidence,
): CommitFailure {
  return { kind: 'commitFailure', attempt: row.attempt, errorStatus, message, evidence }
}
