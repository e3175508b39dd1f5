import { counter, histogram } from '../runtime/metrics.ts'
import type { Registry } from 'prom-client'

export interface KubeCallOutcome {
  readonly verb: string
  readonly kind: string
  /** HTTP status, or `lost` if no answer came. */
  readonly code: string
  readonly seconds: number
}

export interface KubeMetrics {
  answered(outcome: KubeCallOutcome): void
  waited(seconds: number): void
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
  )
  return {
    answered({ verb, kind, code, seconds: taken }) {
      requests.labels(verb, kind, code).inc()
      seconds.labels(verb, kind, code).observe(taken)
    },
    waited: (taken) => wait.observe(taken),
  }
}
