import type { Clock } from '../../common/runtime/effects.ts'
import type { BoundWarmRunner } from '../../common/store/warm-runners.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import {
  failureOf,
  lookedUp,
  needsLookUp,
  newWarmRunner,
  observe,
  viewOf,
} from './known-warm-runner.ts'
import type { KnownWarmRunner } from './known-warm-runner.ts'
import type { WarmRunner } from './pool.ts'
import type { WarmRunnerOffer } from './warm-runner-waiters.ts'

/**
 * Jobs of the pool as a leader has seen them, on its own monotonic clock. All of it is disposable: a
 * new leader reads in the database once which Jobs were given a command, and starts its waits from zero.
 */
export interface KnownWarmRunners {
  /** Learns of Jobs that are new and forgets those that are gone. */
  update(jobs: readonly JobFacts[], offers: readonly WarmRunnerOffer[]): void
  /** Names of Jobs whose use has to be read from the database. */
  toLookUp(): string[]
  lookedUp(names: readonly string[], bound: readonly BoundWarmRunner[]): void
  /** The use of a Job is uncertain: it is read from the database again. */
  lookUpAgain(name: string): void
  /** A command takes it: it is not retired, and not offered to another. */
  reserve(name: string): void
  bound(name: string): void
  isFree(name: string): boolean
  created(name: string): void
  /** The API server refused to create the Job. */
  refused(name: string): void
  /** Created by this leader, and not seen yet. */
  unseen(): number
  view(poolHash: string): WarmRunner[]
  /** Jobs that have failed, or did not start, without a command since the last call. */
  newFailures(): { readonly job: JobFacts; readonly reason: string }[]
}

/** A Job that was created and is not seen after this time was lost on the way. */
const unseenMs = 30_000

/** @param deps.startAllowanceSeconds after which a pod that does not run will not */
export function createKnownWarmRunners({
  clock,
  podsOf,
  onStarted,
  startAllowanceSeconds,
}: {
  readonly clock: Clock
  readonly podsOf: (jobUid: string) => readonly PodFacts[]
  readonly onStarted: (seconds: number) => void
  readonly startAllowanceSeconds: number
}): KnownWarmRunners {
  const known = new Map<string, KnownWarmRunner>()
  const createdMs = new Map<string, number>()

  return {
    update(jobs, offers) {
      const now = clock.monotonicMs()
      const names = new Set(jobs.map(({ metadata }) => metadata.name))
      for (const name of known.keys()) if (!names.has(name)) known.delete(name)
      for (const job of jobs) updateOne(job, offers, now)
      for (const [name, atMs] of createdMs) if (now - atMs > unseenMs) createdMs.delete(name)
    },
    toLookUp: () => [...known.values()].filter(needsLookUp).map(({ job }) => job.metadata.name),
    lookedUp(names, bound) {
      const byName = new Map(bound.map((each) => [each.warmRunnerJob, each]))
      for (const name of names) {
        const warmRunner = known.get(name)
        if (warmRunner === undefined || warmRunner.use === 'reserved') continue
        lookedUp(warmRunner, byName.get(name), clock.monotonicMs())
      }
    },
    lookUpAgain: (name) => change(name, { use: 'unknown', needsLookUp: true }),
    reserve: (name) => change(name, { use: 'reserved' }),
    bound: (name) => change(name, { use: 'bound' }),
    isFree: (name) => known.get(name)?.use === 'free',
    created: (name) => void createdMs.set(name, clock.monotonicMs()),
    refused: (name) => void createdMs.delete(name),
    unseen: () => createdMs.size,
    view(poolHash) {
      const now = clock.monotonicMs()
      return [...known.values()].map((each) => viewOf(each, poolHash, startAllowanceSeconds, now))
    },
    newFailures() {
      const now = clock.monotonicMs()
      return [...known.values()].flatMap((warmRunner) => {
        const reason = failureOf(warmRunner, startAllowanceSeconds, now)
        if (warmRunner.hasFailed || reason === null) return []
        warmRunner.hasFailed = true
        return [{ job: warmRunner.job, reason }]
      })
    },
  }

  function updateOne(job: JobFacts, offers: readonly WarmRunnerOffer[], now: number): void {
    const { name, uid } = job.metadata
    const before = known.get(name)
    const warmRunner =
      before?.job.metadata.uid === uid
        ? before
        : newWarmRunner(job, { isOwn: createdMs.has(name), now })
    createdMs.delete(name)
    known.set(name, warmRunner)
    warmRunner.job = job
    const hasWaited = warmRunner.waitedMs !== null
    observe(warmRunner, podsOf(uid), offers, now)
    // Counts only warm runners that this leader created: it does not know when others were created.
    const isFirst = warmRunner.isOwn && !hasWaited && warmRunner.waitedMs !== null
    if (isFirst) onStarted((now - warmRunner.firstSeenMs) / 1_000)
  }

  function change(name: string, now: Partial<Pick<KnownWarmRunner, 'use' | 'needsLookUp'>>): void {
    const warmRunner = known.get(name)
    if (warmRunner !== undefined) Object.assign(warmRunner, now)
  }
}
