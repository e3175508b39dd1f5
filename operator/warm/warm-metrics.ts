import type { Registry } from 'prom-client'
import { beginAtZero, counter, gauge, histogram } from '../../common/runtime/metrics.ts'
import type { ColdReason } from '../decide/cold-reason.ts'
import { isAlive } from './pool.ts'
import type { WarmRunner } from './pool.ts'

/** Metrics of the leader about its pool. Labels come from closed lists only. */
export interface WarmMetrics {
  /** @param retiring pods that end without a command */
  warmRunners(warmRunners: readonly WarmRunner[], desired: number, retiring: number): void
  settled(result: 'bound' | 'taken' | 'not-waiting' | 'unknown'): void
  /** A command got a Job of its own. */
  missed(reason: ColdReason): void
  /** @param seconds of the request */
  resized(result: 'done' | 'refused', seconds: number): void
  /** The node has accepted the size and does not give it yet. @param reason of the condition PodResizePending */
  resizePending(reason: string): void
  /** @param seconds from the binding of a runner until its answer with the command is ready */
  readonly assigned: (seconds: number) => void
  /** @param seconds from the creation of its Job until it waits */
  started(seconds: number): void
  failed(reason: string): void
  off(reason: OffReason, isOff: boolean): void
}

/** `setting`: the largest pool is 0; `resize`: the cluster does not change the size of pods that run. */
const offReasons = ['setting', 'kueue', 'resize'] as const
export type OffReason = (typeof offReasons)[number]

const missReasons: readonly ColdReason[] = [
  'off',
  'round',
  'size',
  'plan',
  'namespace',
  'empty',
  'upload',
]
/** Reasons of failed Jobs, and classes of errors of their creation; others begin with their first failure. */
const failureReasons = [
  'BackoffLimitExceeded',
  'DeadlineExceeded',
  'PodFailurePolicy',
  'Unknown',
  'quota',
  'forbidden',
  'invalid',
  'absent',
]

/** Keys are reasons of the condition. */
const pendingResults: Readonly<Record<string, string>> = {
  Deferred: 'deferred',
  Infeasible: 'infeasible',
}
const warmRunnersHelp =
  'Runners without a command that start, wait, or end (retiring), and those bound to one.'

export function createWarmMetrics(registry: Registry): WarmMetrics {
  return { ...poolMetrics(registry), ...bindingMetrics(registry) }
}

type BindingMetrics = Pick<WarmMetrics, 'settled' | 'resized' | 'resizePending' | 'assigned'>

/** Metrics of commands that are given to a waiting runner. */
function bindingMetrics(registry: Registry): BindingMetrics {
  const binds = counter(
    registry,
    'warm_binds_total',
    'Tries to give a command to a waiting runner.',
    ['result'],
  )
  const resizes = counter(
    registry,
    'warm_resizes_total',
    'Changes of the size of runners: done or refused by the API server, then deferred or infeasible where the node lacks room.',
    ['result'],
  )
  const resizeSeconds = histogram(
    registry,
    'warm_resize_seconds',
    'Requests that give a waiting runner the size of its command.',
  )
  const assignedSeconds = histogram(
    registry,
    'warm_bind_to_assigned_seconds',
    'From the binding of a waiting runner until its answer with the command is ready.',
  )
  beginAtZero(binds, series('result', ['bound', 'taken', 'not-waiting', 'unknown']))
  beginAtZero(resizes, series('result', ['done', 'refused', ...Object.values(pendingResults)]))
  return {
    settled: (result) => binds.labels(result).inc(),
    resized(result, took) {
      resizes.labels(result).inc()
      resizeSeconds.observe(took)
    },
    resizePending(reason) {
      const result = pendingResults[reason]
      if (result !== undefined) resizes.labels(result).inc()
    },
    assigned: (took) => assignedSeconds.observe(took),
  }
}

/** Metrics of the pool, and of commands that found no runner in it. */
function poolMetrics(registry: Registry): Omit<WarmMetrics, keyof BindingMetrics> {
  const warmRunnerCount = gauge(registry, 'warm_standbys', warmRunnersHelp, ['state'])
  const wanted = gauge(registry, 'warm_desired', 'Runners that should wait for commands.')
  const misses = counter(
    registry,
    'warm_misses_total',
    'Commands that got a Job of their own, by why no waiting runner took them: all are off while there are none; empty: none waited.',
    ['reason'],
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
  const isOff = gauge(
    registry,
    'warm_off',
    '1 while no runners wait for this reason: setting (runner.warm.max is 0), kueue, resize (the cluster lacks pods/resize).',
    ['reason'],
  )
  const offNow = new Set<OffReason>()
  for (const reason of offReasons) isOff.labels(reason).set(0)
  beginAtZero(misses, series('reason', missReasons))
  beginAtZero(failures, series('reason', failureReasons))
  return {
    warmRunners(warmRunners, desired, retiring) {
      const living = warmRunners.filter(({ job }) => isAlive(job))
      const unused = living.filter(({ use }) => use === 'free')
      const waiting = unused.filter(({ isWaiting }) => isWaiting).length
      warmRunnerCount.labels('waiting').set(waiting)
      warmRunnerCount.labels('starting').set(unused.length - waiting)
      warmRunnerCount.labels('bound').set(living.filter(({ use }) => use === 'bound').length)
      warmRunnerCount.labels('retiring').set(retiring)
      wanted.set(desired)
    },
    missed: (reason) => misses.labels(offNow.size > 0 ? 'off' : reason).inc(),
    started: (took) => startSeconds.observe(took),
    failed: (reason) => failures.labels(reason).inc(),
    off(reason, is) {
      if (is) offNow.add(reason)
      else offNow.delete(reason)
      isOff.labels(reason).set(is ? 1 : 0)
    },
  }
}

function series<L extends string>(label: L, values: readonly string[]): Record<L, string>[] {
  return values.map((value) => ({ [label]: value }) as Record<L, string>)
}
