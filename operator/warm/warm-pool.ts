import { backoff } from '../../common/runtime/backoff.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { Effects, FailpointName } from '../../common/runtime/effects.ts'
import type { Job } from '../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { StandbyStore } from '../../common/store/standbys.ts'
import type { Caches } from '../observe/caches.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import type { Term } from '../machinery/election/leader.ts'
import type { RunnerSettings } from '../resources/runner-settings.ts'
import type { RunnerJob } from '../resources/job.ts'
import { isUploadProbe } from '../decide/adopt-standby.ts'
import { standbyHash, standbyJobFor } from '../resources/standby-job.ts'
import { createKnownStandbys, shortestLifetime } from './known-standbys.ts'
import type { WantedStandbys } from './offer-shares.ts'
import { createOfferTurns } from './offer-turns.ts'
import { desiredSize, isAlive, pool, refillSeconds } from './pool.ts'
import type { PoolPlan, Standby } from './pool.ts'
import type { StandbyWaiters } from './standby-waiters.ts'
import { usableOffers } from './usable-offers.ts'
import type { UsableOffer } from './usable-offers.ts'
import type { WarmMetrics } from './warm-metrics.ts'

/** The runners of a leader that wait for commands. A reservation in its memory saves a statement; the row decides. */
export interface WarmPool {
  /**
   * Reserves a pod for a command of the account; null: there is none for it now. The last one is kept from the probe of
   * an upload: no client waits for that, and the command that the file was uploaded for comes right after it.
   */
  take(row: Pick<ReconcileRow, 'accountId' | 'file'>): UsableOffer | null
  /** What became of a reserved pod; `unknown` where the statement has no answer. */
  settle(offer: UsableOffer, result: 'bound' | 'taken' | 'not-waiting' | 'unknown'): void
  /** Ends the wait of a bound pod that has its request open here. */
  answer(podUid: string, row: ReconcileRow): void
  /** The size of a command was refused to a pod of this node. */
  resizeRefused(node: string | null): void
  /** Commands that a standby could run and that a round of admission has chosen, by account. */
  admitting(wanted: ReadonlyMap<string, WantedStandbys>): void
  /** One pass over the pool. */
  round(signal: AbortSignal): Promise<void>
}

export interface WarmPoolDeps {
  readonly store: Pick<StandbyStore, 'boundStandbys' | 'standbyDemand'>
  readonly jobs: Pick<Resource<Job>, 'create' | 'delete'>
  readonly caches: Pick<
    Caches,
    'standbyJobs' | 'standbyPodsOf' | 'podByUid' | 'isGone' | 'jobs' | 'pods'
  >
  readonly waiters: Pick<StandbyWaiters, 'offers' | 'answer'>
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly metrics: WarmMetrics
  readonly logger: Logger
  readonly settings: { readonly runner: RunnerSettings; readonly liveJobs: number }
  /** Whether the cluster can change the size of a pod that runs. */
  readonly canResize: () => Promise<boolean>
  /** To start the next pass soon after a pod was bound. */
  readonly wakeAfter: (delayMs: number) => void
}

const demandMs = 10_000
const fullNodeMs = 60_000
const failureWaits = { first: 1_000, longest: 300_000, jitter: [1, 1] } as const
/** Without a setting every standby is retired. */
const off = { min: 0, max: 0, maxAgeSeconds: 60, idleSeconds: 1 }

export function createWarmPool(deps: WarmPoolDeps): WarmPool {
  const { caches, effects, logger, metrics, settings, waiters } = deps
  const { clock } = effects
  const warm = settings.runner.warm
  const poolHash = warm === null ? '' : standbyHash(settings.runner, warm)
  const known = createKnownStandbys({
    clock,
    podsOf: (jobUid) => caches.standbyPodsOf(jobUid),
    onStarted: (seconds) => metrics.started(seconds),
    // One that is replaced for its age before that would never count as failed.
    startAllowanceSeconds: Math.min(
      settings.runner.startAllowanceSeconds,
      shortestLifetime * (warm ?? off).maxAgeSeconds,
    ),
  })
  const turns = createOfferTurns(clock)
  const fullNodes = new Map<string, number>()
  const failures = { count: 0, lastMs: -Infinity, logged: new Set<string>() }
  let desired = warm?.min ?? 0
  let demandReadMs = -Infinity
  let boundMs: number | null = null
  let surplusSinceMs: number | null = null
  let number = 0
  let isSupported: boolean | null = null
  metrics.off('setting', warm === null && settings.runner.kueue === null)
  metrics.off('kueue', settings.runner.kueue !== null)

  return {
    take(row) {
      const offers = usable()
      if (isUploadProbe(row) && offers.length < 2) return null
      const taken = turns.take(row.accountId, offers)
      if (taken !== null) known.reserve(taken.job.metadata.name)
      return taken
    },
    settle({ job, offer }, result) {
      const { name } = job.metadata
      metrics.settled(result)
      if (result !== 'bound') return known.doubt(name)
      known.bound(name)
      boundMs = clock.monotonicMs()
      logger.info('bound a warm runner', { job: name, attempt: offer.podUid })
      deps.wakeAfter(1_000 * refillSeconds)
    },
    answer: (podUid, row) => void waiters.answer(podUid, row),
    resizeRefused(node) {
      if (node !== null) fullNodes.set(node, clock.monotonicMs())
    },
    admitting(wanted) {
      turns.admitting(wanted, usable().length)
    },
    async round(signal) {
      known.see(caches.standbyJobs(), waiters.offers())
      noteFailures()
      await ask(known.unanswered())
      const target = await targetSize()
      const standbys = known.view(poolHash)
      metrics.standbys(standbys, target, retiringPods())
      const free = standbys.filter(({ job, use }) => use === 'free' && isAlive(job)).length
      surplusSinceMs = free > target ? (surplusSinceMs ?? clock.monotonicMs()) : null
      const plan = pool(
        {
          standbys,
          desired: Math.max(0, target - known.unseen()),
          sinceBind: secondsSince(boundMs),
          surplusFor: secondsSince(surplusSinceMs) ?? 0,
          backoff: backoffSeconds(),
          room: settings.liveJobs - liveJobs(),
        },
        warm ?? off,
      )
      await retire(plan.retire, signal)
      await create(plan.create, signal)
    },
  }

  function usable(): UsableOffer[] {
    if (warm === null) return []
    const isNodeFull = (node: string): boolean =>
      clock.monotonicMs() - (fullNodes.get(node) ?? -Infinity) < fullNodeMs
    return usableOffers(waiters.offers(), caches, { ...warm, poolHash, isNodeFull }).filter(
      ({ job }) => known.isFree(job.metadata.name),
    )
  }

  async function ask(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    known.answered(names, await deps.store.boundStandbys(names))
  }

  async function targetSize(): Promise<number> {
    if (warm === null || !(await supports())) return 0
    if (warm.min === warm.max) return warm.max
    if (clock.monotonicMs() - demandReadMs >= demandMs) {
      const ofClass = { vcpuCount: warm.vcpu, coldPlans: warm.coldPlans }
      desired = desiredSize(await deps.store.standbyDemand(ofClass), warm)
      demandReadMs = clock.monotonicMs()
    }
    return desired
  }

  async function supports(): Promise<boolean> {
    if (isSupported !== null) return isSupported
    isSupported = await deps.canResize()
    metrics.off('resize', !isSupported)
    if (!isSupported) {
      logger.warn('no warm runners: this cluster does not resize running pods')
    }
    return isSupported
  }

  function noteFailures(): void {
    const waits = known.view(poolHash).some(({ isWaiting, isCurrent }) => isWaiting && isCurrent)
    if (waits) {
      failures.count = 0
      failures.logged.clear()
    }
    for (const { job, reason } of known.newFailures()) {
      // A Job that was made from earlier settings says nothing about the present ones.
      if (job.standby?.poolHash !== poolHash) continue
      const { ending, metadata } = job
      failed(reason, () =>
        logger.warn('warm runner failed', { job: metadata.name, reason, ending }),
      )
    }
  }

  /** Logged once for each reason until one waits: retries go on for days. */
  function failed(reason: string, log: () => void): void {
    failures.count += 1
    failures.lastMs = clock.monotonicMs()
    metrics.failed(reason)
    if (failures.logged.has(reason)) return
    failures.logged.add(reason)
    log()
  }

  function backoffSeconds(): number {
    if (failures.count === 0) return 0
    const waitMs = backoff(failureWaits, failures.count, 0)
    return Math.max(0, waitMs - (clock.monotonicMs() - failures.lastMs)) / 1_000
  }

  function retiringPods(): number {
    const retires = ({ standby, commandId, deletion }: PodFacts): boolean =>
      standby !== null && commandId === null && deletion !== null
    return caches.pods.list().filter(retires).length
  }

  function liveJobs(): number {
    return caches.jobs.list().filter(isAlive).length
  }

  /**
   * Only what the database does not know is deleted, at the version that it was seen with: another leader
   * that has bound it since changes the version by adopting it.
   */
  async function retire(candidates: PoolPlan['retire'], signal: AbortSignal): Promise<void> {
    if (candidates.length === 0) return
    const names = candidates.map(({ standby }) => standby.job.metadata.name)
    for (const name of names) known.reserve(name)
    const bound = new Map(
      (await deps.store.boundStandbys(names)).map((each) => [each.standbyJob, each.isLive]),
    )
    for (const { standby, why } of candidates) {
      signal.throwIfAborted()
      const { metadata } = standby.job
      if (bound.get(metadata.name) !== true) await deleteOne(standby, why)
      known.doubt(metadata.name)
    }
  }

  async function deleteOne({ job }: Standby, why: string): Promise<void> {
    const { namespace, name, uid, resourceVersion } = job.metadata
    await effect('operator.standby_retired', () =>
      deps.jobs.delete(
        { namespace, name, uid, resourceVersion },
        { propagationPolicy: 'Background', lane: 'tidy' },
      ),
    )
    logger.info('retired a warm runner', { job: name, why })
  }

  async function create(count: number, signal: AbortSignal): Promise<void> {
    if (warm === null) return
    for (let index = 0; index < count; index += 1) {
      signal.throwIfAborted()
      if (!(await createOne(standbyJobFor(settings.runner, warm, nextNumber())))) return
    }
  }

  async function createOne(manifest: RunnerJob): Promise<boolean> {
    known.created(manifest.metadata.name)
    try {
      await effect('operator.standby_created', () =>
        deps.jobs.create(manifest.metadata.namespace, manifest, { lane: 'tidy' }),
      )
      return true
    } catch (error) {
      // By a request of ours whose reply was lost, as the name is new.
      if (isKubeError(error, 'exists')) return true
      if (!isKubeError(error, 'quota', 'forbidden', 'invalid', 'absent')) throw error
      known.refused(manifest.metadata.name)
      failed(error.errorClass, () => logger.warn('warm runner refused', { error }))
      return false
    }
  }

  /** The precondition of the write is its guard; this only keeps a process that was stopped from trying. */
  function effect<T>(name: FailpointName, run: () => Promise<T>): Promise<T> {
    deps.term.mustHold()
    return effects.failpoint(name, run)
  }

  /** Larger than any before: the database refuses a second binding of a name. */
  function nextNumber(): number {
    number = Math.max(number + 1, clock.wall().getTime())
    return number
  }

  function secondsSince(atMs: number | null): number | null {
    return atMs === null ? null : (clock.monotonicMs() - atMs) / 1_000
  }
}
