import { Gauge } from 'prom-client'
import { counter, histogram, metricsPrefix } from '../runtime/metrics.ts'
import type { Registry } from 'prom-client'
import type { RequestLane } from './throttle/lane-order.ts'

export interface KubeCallOutcome {
  readonly verb: string
  readonly kind: string
  /** HTTP status, or `lost` if no answer came. */
  readonly code: string
  readonly seconds: number
}

export interface KubeMetrics {
  answered(outcome: KubeCallOutcome): void
  readonly waited: (lane: RequestLane, seconds: number) => void
}

/** The metric of a throttle, which several clients may share. */
export interface RateMetric {
  /** @param read requests a second that this process allows itself at present */
  watch(read: () => number): void
}

/** Once per registry; several clients may share it. */
export function createKubeMetrics(registry: Registry): KubeMetrics {
  const names = ['verb', 'kind', 'code'] as const
  const requests = counter(
    registry,
    'kube_requests_total',
    'Requests to the Kubernetes API, retries included.',
    names,
  )
  const seconds = histogram(
    registry,
    'kube_request_seconds',
    'Time until the whole answer of the Kubernetes API had come; of a watch, until it was open.',
    names,
  )
  const wait = histogram(
    registry,
    'kube_throttle_wait_seconds',
    'Time that requests to the Kubernetes API waited for our own rate limit.',
    ['lane'],
    [0.001, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  )
  return {
    answered({ verb, kind, code, seconds: taken }) {
      requests.labels(verb, kind, code).inc()
      seconds.labels(verb, kind, code).observe(taken)
    },
    waited: (lane, taken) => wait.labels(lane).observe(taken),
  }
}

/** Once per registry. */
export function createRateMetric(registry: Registry): RateMetric {
  let perSecond = (): number => 0
  const rate: Gauge = new Gauge({
    name: `${metricsPrefix}kube_requests_per_second_limit`,
    help: 'Most requests a second to the Kubernetes API: half for a minute after three answers 429.',
    registers: [registry],
    collect: () => rate.set(perSecond()),
  })
  return { watch: (read) => void (perSecond = read) }
}
