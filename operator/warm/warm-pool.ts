import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { Caches } from '../observe/caches.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import type { RunnerSettings } from '../resources/runner-settings.ts'
import { warmRunnerHash } from '../resources/warm-runner-job.ts'
import { shortestLifetime } from './known-warm-runner.ts'
import { createKnownWarmRunners } from './known-warm-runners.ts'
import { isAlive, pool, refillSeconds } from './pool.ts'
import type { PoolPlan } from './pool.ts'
import { createPoolJobs } from './pool-jobs.ts'
import type { PoolJobsDeps } from './pool-jobs.ts'
import {
  afterBinding,
  afterCount,
  afterFailure,
  afterSuccess,
  newPool,
  poolWaits,
} from './pool-state.ts'
import { createPoolTarget } from './pool-target.ts'
import type { PoolTargetDeps } from './pool-target.ts'
import { createWarmRunnerOffers } from './warm-runner-offers.ts'
import type { WarmRunnerOffers, WarmRunnerOffersDeps } from './warm-runner-offers.ts'
import type { WarmRunnerWaiters } from './warm-runner-waiters.ts'
import type { UsableOffer } from './usable-offers.ts'

/** The runners of a leader that wait for commands. */
export interface WarmPool extends WarmRunnerOffers {
  /** Result of binding a reserved pod; `unknown` where the statement has no answer. */
  settle(offer: UsableOffer, result: 'bound' | 'taken' | 'not-waiting' | 'unknown'): void
  /** Ends the wait of a bound pod that has its request open here. */
  answer(podUid: string, row: ReconcileRow): void
  /** One pass over the pool. */
  pass(signal: AbortSignal): Promise<void>
}

export interface WarmPoolDeps
  extends PoolJobsDeps, Omit<PoolTargetDeps, 'clock'>, WarmRunnerOffersDeps {
  readonly store: PoolJobsDeps['store'] & PoolTargetDeps['store']
  readonly caches: WarmRunnerOffersDeps['caches'] &
    Pick<Caches, 'warmRunnerJobs' | 'warmRunnerPodsOf'>
  readonly waiters: Pick<WarmRunnerWaiters, 'offers' | 'answer'>
  readonly settings: { readonly runner: RunnerSettings; readonly liveJobs: number }
  /** To start the next pass soon after a pod was bound. */
  readonly wakeAfter: (delayMs: number) => void
}

/** Without a setting every warm runner is retired. */
const off = { min: 0, max: 0, maxAgeSeconds: 60, idleSeconds: 1 }

export function createWarmPool(deps: WarmPoolDeps): WarmPool {
  const { caches, logger, metrics, settings, waiters } = deps
  const { clock } = deps.effects
  const { runner } = settings
  const { warm } = runner
  let poolHash = hashOf(runner)
  let state = newPool
  const known = createKnownWarmRunners({
    clock,
    podsOf: (jobUid) => caches.warmRunnerPodsOf(jobUid),
    onStarted: (seconds) => metrics.started(seconds),
    // One that is replaced for its age before that would never count as failed.
    startAllowanceSeconds: Math.min(
      runner.startAllowanceSeconds,
      shortestLifetime * (warm ?? off).maxAgeSeconds,
    ),
  })
  const offers = createWarmRunnerOffers(deps, clock, warm, () => poolHash, known)
  const targetSize = createPoolTarget({ ...deps, clock }, warm)
  const poolJobs = createPoolJobs(deps, runner, known, (error) =>
    failed(error.errorClass, () => logger.warn('warm runner refused', { error })),
  )
  metrics.off('setting', warm === null && runner.kueue === null)
  metrics.off('kueue', runner.kueue !== null)

  return {
    ...offers,
    settle({ job, offer }, result) {
      const { name } = job.metadata
      metrics.settled(result)
      if (result !== 'bound') return known.lookUpAgain(name)
      known.bound(name)
      state = afterBinding(state, clock.monotonicMs())
      logger.info('bound a warm runner', { job: name, attempt: offer.podUid })
      deps.wakeAfter(1_000 * refillSeconds)
    },
    answer: (podUid, row) => void waiters.answer(podUid, row),
    async pass(signal) {
      // With the authority of the gateway, too, which may have changed.
      poolHash = hashOf(runner)
      known.update(caches.warmRunnerJobs(), waiters.offers())
      noteFailures()
      const names = known.toLookUp()
      if (names.length > 0) known.lookedUp(names, await deps.store.boundWarmRunners(names))
      const plan = planFor(await targetSize())
      await poolJobs.retire(plan.retire, signal)
      await poolJobs.refill(plan.create, signal)
    },
  }

  function planFor(target: number): PoolPlan {
    const nowMs = clock.monotonicMs()
    const warmRunners = known.view(poolHash)
    const free = warmRunners.filter(({ job, use }) => use === 'free' && isAlive(job)).length
    state = afterCount(state, free > target, nowMs)
    metrics.warmRunners(warmRunners, target, caches.pods.list().filter(isRetiring).length)
    const desired = Math.max(0, target - known.unseen())
    const room = settings.liveJobs - caches.jobs.list().filter(isAlive).length
    return pool({ warmRunners, desired, room, ...poolWaits(state, nowMs) }, warm ?? off)
  }

  function noteFailures(): void {
    const waits = known.view(poolHash).some(({ isWaiting, isCurrent }) => isWaiting && isCurrent)
    if (waits) state = afterSuccess(state)
    for (const { job, reason } of known.newFailures()) {
      // A Job that was made from earlier settings says nothing about the present ones.
      if (job.warmRunner?.poolHash !== poolHash) continue
      const details = { job: job.metadata.name, reason, ending: job.ending }
      failed(reason, () => logger.warn('warm runner failed', details))
    }
  }

  /** Logged once for each reason until one waits: retries go on for days. */
  function failed(reason: string, log: () => void): void {
    const isNew = !state.loggedReasons.has(reason)
    state = afterFailure(state, reason, clock.monotonicMs())
    metrics.failed(reason)
    if (isNew) log()
  }
}

/** A warm runner of the pool that is being deleted. */
function isRetiring({ warmRunner, commandId, deletion }: PodFacts): boolean {
  return warmRunner !== null && commandId === null && deletion !== null
}

function hashOf(runner: RunnerSettings): string {
  return runner.warm === null ? '' : warmRunnerHash(runner, runner.warm)
}
