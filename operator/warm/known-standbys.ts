import type { Clock } from '../../common/runtime/effects.ts'
import type { BoundStandby } from '../../common/store/standbys.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { podlessSeconds, startReason } from '../status/start-reason.ts'
import { isAlive } from './pool.ts'
import type { Standby } from './pool.ts'
import type { StandbyOffer } from './standby-waiters.ts'

/**
 * What a leader has seen of each Job of the pool, on its own monotonic clock. All of it is disposable: a
 * new leader reads in the database once which Jobs were given a command, and starts its waits from zero.
 */
export interface KnownStandbys {
  /** Learns of Jobs that are new and forgets those that are gone. */
  see(jobs: readonly JobFacts[], offers: readonly StandbyOffer[]): void
  /** Names of Jobs of which the database has to say whether, or how, they are used. */
  unanswered(): string[]
  answered(names: readonly string[], bound: readonly BoundStandby[]): void
  /** What is known of a Job is not certain any more. */
  doubt(name: string): void
  /** A command takes it: it is not retired, and not offered to another. */
  reserve(name: string): void
  bound(name: string): void
  isFree(name: string): boolean
  created(name: string): void
  /** It was not created. */
  refused(name: string): void
  /** Created by this leader, and not seen yet. */
  unseen(): number
  view(poolHash: string): Standby[]
  /** Jobs that have failed, or did not start, without a command since the last call. */
  newFailures(): { readonly job: JobFacts; readonly reason: string }[]
}

interface Known {
  job: JobFacts
  use: Standby['use'] | 'reserved'
  /** Whether the next answer of the database is awaited. */
  isOpen: boolean
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
/** A Job that was created and is not seen after this time was lost on the way. */
const unseenMs = 30_000

/** @param deps.startAllowanceSeconds after which a pod that does not run will not */
export function createKnownStandbys({
  clock,
  podsOf,
  onStarted,
  startAllowanceSeconds,
}: {
  readonly clock: Clock
  readonly podsOf: (jobUid: string) => readonly PodFacts[]
  readonly onStarted: (seconds: number) => void
  readonly startAllowanceSeconds: number
}): KnownStandbys {
  const known = new Map<string, Known>()
  const createdMs = new Map<string, number>()
  const of = (name: string): Known | undefined => known.get(name)

  return {
    see(jobs, offers) {
      const now = clock.monotonicMs()
      const names = new Set(jobs.map(({ metadata }) => metadata.name))
      for (const name of known.keys()) if (!names.has(name)) known.delete(name)
      for (const job of jobs) {
        const { name } = job.metadata
        const before = of(name)
        const standby =
          before?.job.metadata.uid === job.metadata.uid
            ? before
            : newStandby(job, { isOwn: createdMs.has(name), now })
        createdMs.delete(name)
        known.set(name, standby)
        standby.job = job
        const hasWaited = standby.waitedMs !== null
        observe(standby, podsOf(job.metadata.uid), offers, now)
        // Counts only standbys that this leader created: it does not know when others were created.
        const isFirst = standby.isOwn && !hasWaited && standby.waitedMs !== null
        if (isFirst) onStarted((now - standby.firstSeenMs) / 1_000)
      }
      for (const [name, atMs] of createdMs) if (now - atMs > unseenMs) createdMs.delete(name)
    },
    unanswered: () =>
      [...known.values()]
        .filter(
          ({ job, use, isOpen }) =>
            isOpen || ((use === 'bound' || use === 'over') && job.ownerUid === null),
        )
        .map(({ job }) => job.metadata.name),
    answered(names, bound) {
      const byName = new Map(bound.map((each) => [each.standbyJob, each]))
      for (const name of names) {
        const standby = of(name)
        if (standby === undefined || standby.use === 'reserved') continue
        const found = byName.get(name)
        standby.use = useOf(standby, found)
        standby.isOpen = false
        standby.overSinceMs =
          standby.use === 'over' ? (standby.overSinceMs ?? clock.monotonicMs()) : null
      }
    },
    doubt(name) {
      const standby = of(name)
      if (standby === undefined) return
      standby.use = 'unknown'
      standby.isOpen = true
    },
    reserve: (name) => set(name, 'reserved'),
    bound: (name) => set(name, 'bound'),
    isFree: (name) => of(name)?.use === 'free',
    created: (name) => void createdMs.set(name, clock.monotonicMs()),
    refused: (name) => void createdMs.delete(name),
    unseen: () => createdMs.size,
    view: (poolHash) => [...known.values()].map((standby) => viewOf(standby, poolHash)),
    newFailures() {
      return [...known.values()].flatMap((standby) => {
        const { job, use } = standby
        const reason = job.ending?.reason ?? stuckReason(standby)
        if (standby.hasFailed || job.deleting || reason === null) return []
        if (use === 'bound' || use === 'reserved') return []
        standby.hasFailed = true
        return [{ job, reason }]
      })
    },
  }

  /** null: it has waited, runs, or has time left to start. */
  function stuckReason({
    job,
    use,
    firstSeenMs,
    runsSinceMs,
    waitedMs,
    startReason: reason,
  }: Known): string | null {
    if (use !== 'free' || !isAlive(job) || runsSinceMs !== null || waitedMs !== null) return null
    return clock.monotonicMs() - firstSeenMs < 1_000 * startAllowanceSeconds ? null : reason
  }

  function set(name: string, use: Known['use']): void {
    const standby = of(name)
    if (standby !== undefined) standby.use = use
  }

  function viewOf(standby: Known, poolHash: string): Standby {
    const { job, use, firstSeenMs, runsSinceMs, waitedMs } = standby
    const now = clock.monotonicMs()
    const asked = Math.max(runsSinceMs ?? -Infinity, waitedMs ?? -Infinity)
    return {
      job,
      isCurrent: job.standby?.poolHash === poolHash,
      use: isUsed(standby, now) || use === 'reserved' ? 'bound' : use,
      isWaiting: standby.isWaiting,
      hasTwin: standby.hasTwin,
      stuck: stuckReason(standby),
      age: Math.max(standby.ageSeconds, (now - firstSeenMs) / 1_000),
      lifetime: lifetimeOf(job.metadata.uid),
      silent: runsSinceMs === null || standby.isWaiting ? null : (now - asked) / 1_000,
    }
  }
}

/** Labels of a command that the database does not know: it has lost the commit that bound the pod. */
function useOf({ isLabelled }: Known, found: BoundStandby | undefined): Standby['use'] {
  if (found === undefined) return isLabelled ? 'over' : 'free'
  return found.isLive ? 'bound' : 'over'
}

function isUsed({ use, overSinceMs }: Known, now: number): boolean {
  return use === 'reserved' || (use === 'over' && now - (overSinceMs ?? now) < lingerMs)
}

function isFrom({ metadata }: PodFacts): (offer: StandbyOffer) => boolean {
  return ({ podUid }) => podUid === metadata.uid
}

function newStandby(job: JobFacts, { isOwn, now }: { isOwn: boolean; now: number }): Known {
  const use = isOwn ? 'free' : 'unknown'
  return {
    job,
    isOwn,
    // Labels say it where they are there; the database knows it in any case.
    use: job.commandId === null ? use : 'bound',
    isOpen: job.commandId === null && use === 'unknown',
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

function observe(
  standby: Known,
  pods: readonly PodFacts[],
  offers: readonly StandbyOffer[],
  now: number,
): void {
  if (standby.job.commandId !== null) standby.use = 'bound'
  standby.hasTwin = pods.length > 1
  standby.startReason = whyNotStarted(standby.job, pods)
  standby.isLabelled = pods.some(({ commandId }) => commandId !== null)
  const running = pods.find(({ phase }) => phase === 'Running')
  standby.runsSinceMs = running === undefined ? null : (standby.runsSinceMs ?? now)
  // A pod requests a command up to a second before its node says that it runs; it gets none until then.
  const offer = running === undefined ? undefined : offers.find(isFrom(running))
  standby.isWaiting = offer !== undefined
  if (offer === undefined) return
  standby.waitedMs = now
  standby.ageSeconds = offer.waitedSeconds
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
