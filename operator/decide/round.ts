import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { limitsFor } from '../resources/limits.ts'
import type { RunnerLimits } from '../resources/limits.ts'
import { specHash } from '../resources/spec-hash.ts'
import type { Snapshot } from './snapshot.ts'
import type { Reason } from '../status/reason.ts'
import { startReason } from '../status/start-reason.ts'

/** The present round of a command: its row, and what belongs to it, computed once per reconcile. */
export interface Round {
  readonly row: ReconcileRow
  readonly specHash: string
  readonly limits: RunnerLimits
  readonly job: JobFacts | null
  /** Pods that were not fenced. */
  readonly pods: readonly PodFacts[]
  /** Pods that were not fenced, and whose objects are gone from the cluster. */
  readonly gonePods: readonly PodFacts[]
  /** Why it waits for admission or has not started; not read once it has started. */
  readonly waiting: Reason
}

export function roundOf(snapshot: Snapshot, row: ReconcileRow): Round {
  const isPresent = (pod: PodFacts): boolean =>
    pod.round === row.round && !row.lostAttempts.includes(pod.metadata.uid)
  const { runner } = snapshot.settings
  const job = snapshot.jobs.find((each) => isJobOf(row, each)) ?? null
  const pods = snapshot.pods.filter(isPresent)
  return {
    row,
    specHash: specHash(row),
    limits: limitsFor(row, runner),
    job,
    pods,
    gonePods: snapshot.gonePods.filter(isPresent),
    waiting: row.admitted
      ? startReason({
          job,
          pods,
          refusal: snapshot.refusal,
          podRefusal: snapshot.podRefusal,
          lostAttempts: row.lostAttempts.length - row.evictions - row.spotLosses,
          maxAttempts: runner.maxAttempts,
          secondsWithoutPod: snapshot.elapsed.withoutPod,
        })
      : (snapshot.admission ?? notYetCounted),
  }
}

/** The Job of a standby has a name that says nothing of its command. */
function isJobOf({ round, standbyJob }: ReconcileRow, job: JobFacts): boolean {
  if (job.round !== round) return false
  return standbyJob === null || job.metadata.name === standbyJob
}

/** It waited for the command, and does not belong to its resource yet. */
export function isUnadopted({ standby, ownerUid }: JobFacts): boolean {
  return standby !== null && ownerUid === null
}

/** Status reason before admission has computed one. It is not a wait reason, so it gets no Event. */
const notYetCounted: Reason = {
  reason: 'Queued',
  message: 'Waits for the next admission run of its account',
}
