import type { BoundWarmRunner } from '../../common/store/warm-runners.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { podlessSeconds, startReason } from '../status/start-reason.ts'
import { isAlive } from './pool.ts'
import type { WarmRunner } from './pool.ts'
import type { WarmRunnerOffer } from './warm-runner-waiters.ts'

/** Job of the pool, as a leader has seen it; times by the leader's monotonic clock. */
export interface KnownWarmRunner {
  job: JobFacts
  use: WarmRunner['use'] | 'reserved'
  /** The use of the Job has to be read from the database. */
  needsLookUp: boolean
  /** Created by this leader. */
  readonly isOwn: boolean
  readonly firstSeenMs: number
  /** Since its pod runs. */
  runsSinceMs: number | null
  waitedMs: number | null
  ageSeconds: number
  isWaiting: boolean
  hasTwin: boolean
  /** A pod of it has the labels of a command. */
  isLabelled: boolean
  hasFailed: boolean
  /** Why its pod does not run. */
  startReason: string
  overSinceMs: number | null
}

/** A runner that has reported its end, or whose attempt was lost, ends by itself. */
const lingerMs = 30_000

export function newWarmRunner(
  job: JobFacts,
  { isOwn, now }: { isOwn: boolean; now: number },
): KnownWarmRunner {
  const use = isOwn ? 'free' : 'unknown'
  return {
    job,
    isOwn,
    // Labels say it where they are there; the database knows it in any case.
    use: job.commandId === null ? use : 'bound',
    needsLookUp: job.commandId === null && use === 'unknown',
    firstSeenMs: now,
    runsSinceMs: null,
    waitedMs: null,
    ageSeconds: 0,
    isWaiting: false,
    hasTwin: false,
    isLabelled: false,
    hasFailed: false,
    startReason: '',
    overSinceMs: null,
  }
}

/** Enters what the cluster and the gateway show now. */
export function observe(
  warmRunner: KnownWarmRunner,
  pods: readonly PodFacts[],
  offers: readonly WarmRunnerOffer[],
  now: number,
): void {
  if (warmRunner.job.commandId !== null) warmRunner.use = 'bound'
  warmRunner.hasTwin = pods.length > 1
  warmRunner.startReason = whyNotStarted(warmRunner.job, pods)
  warmRunner.isLabelled = pods.some(({ commandId }) => commandId !== null)
  const running = pods.find(({ phase }) => phase === 'Running')
  warmRunner.runsSinceMs = running === undefined ? null : (warmRunner.runsSinceMs ?? now)
  // A pod requests a command up to a second before its node says that it runs; it gets none until then.
  const offer = running === undefined ? undefined : offers.find(isFrom(running))
  warmRunner.isWaiting = offer !== undefined
  if (offer === undefined) return
  warmRunner.waitedMs = now
  warmRunner.ageSeconds = offer.waitedSeconds
}

/** Enters what the database says. */
export function lookedUp(
  warmRunner: KnownWarmRunner,
  found: BoundWarmRunner | undefined,
  now: number,
): void {
  warmRunner.use = useOf(warmRunner, found)
  warmRunner.needsLookUp = false
  warmRunner.overSinceMs = warmRunner.use === 'over' ? (warmRunner.overSinceMs ?? now) : null
}

/** A bound Job without the labels of its command may have ended meanwhile. */
export function needsLookUp({ job, use, needsLookUp: isWanted }: KnownWarmRunner): boolean {
  return isWanted || ((use === 'bound' || use === 'over') && job.ownerUid === null)
}

/** Reason of a Job that failed, or did not start, without a command; null: it did not. */
export function failureOf(
  warmRunner: KnownWarmRunner,
  startAllowanceSeconds: number,
  now: number,
): string | null {
  const { job, use } = warmRunner
  if (job.deleting || use === 'bound' || use === 'reserved') return null
  return job.ending?.reason ?? stuckReason(warmRunner, startAllowanceSeconds, now)
}

export function viewOf(
  warmRunner: KnownWarmRunner,
  poolHash: string,
  startAllowanceSeconds: number,
  now: number,
): WarmRunner {
  const { job, use, firstSeenMs, runsSinceMs, waitedMs } = warmRunner
  const asked = Math.max(runsSinceMs ?? -Infinity, waitedMs ?? -Infinity)
  return {
    job,
    isCurrent: job.warmRunner?.poolHash === poolHash,
    use: isUsed(warmRunner, now) || use === 'reserved' ? 'bound' : use,
    isWaiting: warmRunner.isWaiting,
    hasTwin: warmRunner.hasTwin,
    stuck: stuckReason(warmRunner, startAllowanceSeconds, now),
    age: Math.max(warmRunner.ageSeconds, (now - firstSeenMs) / 1_000),
    lifetime: lifetimeOf(job.metadata.uid),
    silent: runsSinceMs === null || warmRunner.isWaiting ? null : (now - asked) / 1_000,
  }
}

/** null: it has waited, runs, or has time left to start. */
function stuckReason(
  { job, use, firstSeenMs, runsSinceMs, waitedMs, startReason: reason }: KnownWarmRunner,
  startAllowanceSeconds: number,
  now: number,
): string | null {
  if (use !== 'free' || !isAlive(job) || runsSinceMs !== null || waitedMs !== null) return null
  return now - firstSeenMs < 1_000 * startAllowanceSeconds ? null : reason
}

/** Labels of a command that the database does not know: it has lost the commit that bound the pod. */
function useOf(
  { isLabelled }: KnownWarmRunner,
  found: BoundWarmRunner | undefined,
): WarmRunner['use'] {
  if (found === undefined) return isLabelled ? 'over' : 'free'
  return found.isLive ? 'bound' : 'over'
}

function isUsed({ use, overSinceMs }: KnownWarmRunner, now: number): boolean {
  return use === 'reserved' || (use === 'over' && now - (overSinceMs ?? now) < lingerMs)
}

function isFrom({ metadata }: PodFacts): (offer: WarmRunnerOffer) => boolean {
  return ({ podUid }) => podUid === metadata.uid
}

/** A reason of a closed list, as of a command that does not start. */
function whyNotStarted(job: JobFacts, pods: readonly PodFacts[]): string {
  const { reason } = startReason({
    job,
    pods,
    refusal: null,
    lostAttempts: 0,
    maxAttempts: 0,
    secondsWithoutPod: podlessSeconds,
    podRefusal: null,
  })
  return reason === 'JobCreated' ? 'NotStarted' : reason
}

export const shortestLifetime = 0.8

/** 0.8 to 1, the same for each leader. */
function lifetimeOf(uid: string): number {
  let sum = 0
  for (const character of uid) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000
  return shortestLifetime + sum / 5_000
}
