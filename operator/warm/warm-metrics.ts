import type { Registry } from 'prom-client'
import { counter, gauge, histogram } from '../../common/runtime/metrics.ts'
import type { ColdReason } from '../decide/adopt-standby.ts'
import { isAlive } from './pool.ts'
import type { Standby } from './pool.ts'

/** What the leader reports of its pool. Labels come from closed lists only. */
export interface WarmMetrics {
  standbys(standbys: readonly Standby[], desired: number): void
  settled(result: 'bound' | 'taken' | 'not-waiting' | 'unknown'): void
  /** A command got a Job of its own. */
  missed(reason: ColdReason): void
  /** @param seconds of the request */
  resized(result: 'done' | 'refused', seconds: number): void
  /** @param seconds from the creation of its Job until it waits */
  started(seconds: number): void
  failed(reason: string): void
  off(reason: 'resize', isOff: boolean): void
}

export function createWarmMetrics(registry: Registry): WarmMetrics {
  const standbyCount = gauge(registry, 'warm_standbys', 'Runners that wait, or start to.', [
    'state',
  ])
  const wanted = gauge(registry, 'warm_desired', 'Runners that should wait for commands.')
  const binds = counter(
    registry,
    'warm_binds_total',
    'Tries to give a command to a waiting runner.',
    ['result'],
  )
  const misses = counter(
    registry,
    'warm_misses_total',
    'Commands that got a Job of their own, by why no waiting runner took them.',
    ['reason'],
  )
  const resizes = counter(registry, 'warm_resizes_total', 'Changes of the size of runners.', [
    'result',
  ])
  const resizeSeconds = histogram(
    registry,
    'warm_resize_seconds',
    'Requests that give a waiting runner the size of its command.',
  )
  const startSeconds = histogram(
    registry,
    'warm_start_seconds',
    'From the creation of a runner until it waits for a command.',
  )
  const failures = counter(
    registry,
    'warm_failures_total',
    'Waiting runners that failed or were refused.',
    ['reason'],
  )
  const isOff = gauge(registry, 'warm_off', '1 while no runners wait for this reason.', ['reason'])
  return {
    standbys(standbys, desired) {
      const living = standbys.filter(({ job }) => isAlive(job))
      const unused = living.filter(({ use }) => use === 'free')
      const waiting = unused.filter(({ isWaiting }) => isWaiting).length
      standbyCount.labels('waiting').set(waiting)
      standbyCount.labels('starting').set(unused.length - waiting)
      standbyCount.labels('bound').set(living.filter(({ use }) => use === 'bound').length)
      wanted.set(desired)
    },
    settled: (result) => binds.labels(result).inc(),
    missed: (reason) => misses.labels(reason).inc(),
    resized(result, took) {
      resizes.labels(result).inc()
      resizeSeconds.observe(took)
    },
    started: (took) => startSeconds.observe(took),
    failed: (reason) => failures.labels(reason).inc(),
    off: (reason, is) => isOff.labels(reason).set(is ? 1 : 0),
  }
}
