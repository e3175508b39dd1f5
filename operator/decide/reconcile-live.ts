import { evictedByQueue, lostOnSpot } from '../../common/domain/failures.ts'
import { withoutClusterNames } from '../../common/kubernetes/status-message.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import { plan } from './actions.ts'
import type { Action, Plan } from './actions.ts'
import { adoptActions, coldReason, sizedVerdict } from './adopt-standby.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import { backoffLimitOf, jobFor } from '../resources/job.ts'
import { jobGoesOn } from './next-pod.ts'
import { roundVerdict } from './pod-outcome.ts'
import { isUnadopted, roundOf } from './round.ts'
import type { Round } from './round.ts'
import { showStatus } from './show-status.ts'
import type { Snapshot } from './snapshot.ts'
import { attemptsAllowed, lossReasons } from '../status/loss.ts'
import { startWaitOf } from '../status/refusal.ts'
import type { LossReason } from '../status/loss.ts'
import { longestQueueShown } from '../status/state.ts'
import type { Evidence, Verdict } from '../status/verdict.ts'

/** A command whose row is not final. */
export function reconcileLive(snapshot: Snapshot, command: CommandFacts, row: ReconcileRow): Plan {
  const { shown } = command
  // The object's status shows its end, so the row comes from a database restored to an earlier
  // time: a finished command must not run again.
  if (shown.ended && !shown.rejected) {
    return plan([{ kind: 'recordShownOutcome', command }])
  }
  if (row.cancelRequested || command.cancel || command.deleting) {
    const message =
      command.deleting && !row.cancelRequested ? deletedMessage : 'Cancelled by request'
    return plan([failure(row, 'CANCELLED', message, {})])
  }
  // An uninstallation removed it, and the object is there again at the next installation.
  if (!command.recordFinalizer) return plan([{ kind: 'addFinalizer', command }])
  const round = roundOf(snapshot, row)
  return row.admitted
    ? reconcileRound(snapshot, command, round)
    : awaitAdmission(snapshot, command, round)
}

const deletedMessage = 'Cancelled: the object was deleted in the cluster'

function awaitAdmission(snapshot: Snapshot, command: CommandFacts, round: Round): Plan {
  const { queuePosition } = round.row
  const isNear = queuePosition !== null && queuePosition <= longestQueueShown
  const show = showStatus(snapshot, command, round)
  const returned = staleJobs(snapshot, round)
  return plan([...returned, { kind: 'wakeAdmission' }, show], isNear ? queuePositionMs : null)
}

/** Jobs of earlier rounds, and that of a command which admission has taken back into the queue. */
function staleJobs({ jobs }: Snapshot, { row, specHash }: Round): Action[] {
  return jobs
    .filter((job) => job.round < row.round || job.round <= row.returnedRound)
    .filter((job) => !job.deleting && job.specHash === specHash)
    .map((job) => ({ kind: 'deleteJob', job, why: 'its round is over' }))
}

const queuePositionMs = 30_000

function reconcileRound(snapshot: Snapshot, command: CommandFacts, round: Round): Plan {
  const { row } = round
  const stale = staleJobs(snapshot, round)
  const foreign = foreignJob(command, round)
  if (foreign === null && hasUnlikelyHolder(round) && !snapshot.confirmed.has('pods')) {
    return plan([{ kind: 'confirm', what: 'pods', name: row.commandId }])
  }
  const verdict: Verdict = foreign ?? sizedVerdict(snapshot, round, roundVerdict(snapshot, round))
  switch (verdict.kind) {
    case 'failed':
      return plan([...stale, failure(row, verdict.errorStatus, verdict.message, verdict.evidence)])
    case 'reported': {
      const { podUid, result, evidence } = verdict
      if (row.attempt === null) {
        return plan([...stale, { kind: 'restoreReported', row, attempt: podUid, result }])
      }
      return plan([...stale, { kind: 'commitResult', row, attempt: row.attempt, result, evidence }])
    }
    case 'lost':
      return plan([...stale, ...lossActions(snapshot, round, verdict)])
    case 'wait':
    case 'none': {
      const start = startActions(snapshot, command, round)
      const adopt = adoptActions(snapshot, command, round)
      const seconds = verdict.kind === 'wait' ? verdict.seconds : null
      const actions = [...stale, ...start, ...adopt.actions, ...startWait(round)]
      const show = showStatus(snapshot, command, round)
      return plan([...actions, show], soonestMs([seconds, adopt.againSeconds]))
    }
  }
}

/** The record says what of the cluster holds an admitted command up. An attempt makes that void by itself. */
function startWait({ row, waiting }: Round): Action[] {
  const reason = startWaitOf(waiting)
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
function hasUnlikelyHolder({ row, pods }: Round): boolean {
  const living = pods.filter((pod) => !isTerminal(pod))
  return living.length > 1 && living.some(({ metadata }) => metadata.uid === row.attempt)
}

/** Never adopted, never changed: the next round has another name. */
function foreignJob(command: CommandFacts, round: Round): Verdict | null {
  const { job, specHash } = round
  if (job === null) return null
  if (isUnadopted(job)) return foreignStandby(round, job)
  const ours = job.ownerUid === command.metadata.uid && job.specHash === specHash
  const evidence = { job: job.metadata.name }
  return ours ? null : { kind: 'lost', reason: 'ForeignJob', podUid: null, evidence }
}

/** A Job that has taken the name of the one whose pod was given the command. */
function foreignStandby({ row, pods, gonePods }: Round, job: JobFacts): Verdict | null {
  const pod = [...pods, ...gonePods].find(({ metadata }) => metadata.uid === row.attempt)
  if (pod === undefined || pod.standby?.job?.uid === job.metadata.uid) return null
  const evidence = { job: job.metadata.name, pod: pod.metadata.name }
  return { kind: 'lost', reason: 'ForeignJob', podUid: row.attempt, evidence }
}

function lossActions(
  { confirmed, settings }: Snapshot,
  round: Round,
  { reason, podUid, evidence }: Extract<Verdict, { kind: 'lost' }>,
): Action[] {
  const { row } = round
  const seen = [...round.pods, ...round.gonePods].some((pod) => pod.metadata.uid === podUid)
  // Only the cache shows the pod as absent, and it may be stale.
  if (podUid !== null && !seen && !confirmed.has('pods')) {
    return [{ kind: 'confirm', what: 'pods', name: row.commandId }]
  }
  const { maxAttempts, kueue } = settings.runner
  const allowed = { attempts: maxAttempts, evictions: kueue?.maxEvictions ?? 0 }
  const goesOn =
    reason === evictedByQueue || jobGoesOn(round, podUid, backoffLimitOf(settings.runner))
  return [
    {
      kind: 'loseAttempt',
      loss: {
        round: row.round,
        attempt: row.attempt,
        podUid,
        reason,
        charged: lossReasons[reason].charged,
        sameRound: !needsAnotherJob.includes(reason) && goesOn,
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
function startActions(snapshot: Snapshot, command: CommandFacts, round: Round): Action[] {
  const reason = coldReason(round.row, command, snapshot.settings.runner)
  const mayBeWarm = ['empty', 'upload'].includes(reason)
  return createJob(snapshot, command, round).map((action) =>
    mayBeWarm && action.kind === 'createJob' ? { kind: 'bindStandby', otherwise: action } : action,
  )
}

/**
 * Only while no pod was given the command in this round: a Job that vanished under its attempt is a
 * loss, not something to make again under the same name.
 */
function createJob(
  { refusal, settings }: Snapshot,
  command: CommandFacts,
  { row, specHash, limits, job }: Round,
): Action[] {
  if (job !== null || row.attempt !== null) return []
  if (refusal?.permanent === true) {
    const why = withoutClusterNames(refusal.message)
    return [failure(row, 'INTERNAL_ERROR', `The cluster refused the runner's Job: ${why}`, refusal)]
  }
  const owner = { kind: command.kind, ...command.metadata }
  const manifest = jobFor({ ...row, specHash, limits }, owner, settings.runner)
  return [{ kind: 'createJob', manifest, hash: specHash }]
}

function failure(
  row: ReconcileRow,
  errorStatus: Extract<Action, { kind: 'commitFailure' }>['errorStatus'],
  message: string,
  evidence: Evidence,
): Action {
  return { kind: 'commitFailure', attempt: row.attempt, errorStatus, message, evidence }
}
