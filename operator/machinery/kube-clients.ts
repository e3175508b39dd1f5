import { createKubeClient } from '../../common/kubernetes/client.ts'
import type { KubeClient } from '../../common/kubernetes/client.ts'
import { inLane } from '../../common/kubernetes/in-lane.ts'
import type { KubeMetrics, RateMetric } from '../../common/kubernetes/kube-metrics.ts'
import { createRequestThrottle } from '../../common/kubernetes/throttle/request-throttle.ts'
import type { RequestThrottle } from '../../common/kubernetes/throttle/request-throttle.ts'
import type { TokenRate } from '../../common/kubernetes/throttle/token-bucket.ts'
import type { KubeTransport } from '../../common/kubernetes/transport.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'

/** The operator's calls to the Kubernetes API, which share one transport. */
export interface KubeClients {
  readonly kube: KubeClient
  /** Events, and objects that no release watches: nothing waits for them. */
  readonly tidyKube: KubeClient
  /** The Lease has a throttle of its own: a burst of other requests must not delay its renewal. */
  readonly electionKube: KubeClient
  readonly throttle: RequestThrottle
}

export function createKubeClients(deps: {
  readonly transport: KubeTransport
  readonly clock: Clock
  random(): number
  readonly rate: TokenRate
  readonly metrics: { readonly kube: KubeMetrics; readonly rate: RateMetric }
  readonly logger: Logger
}): KubeClients {
  const { clock, logger } = deps
  const metrics = deps.metrics.kube
  const throttle = createRequestThrottle({
    clock,
    ...deps.rate,
    waited: metrics.waited,
    onSlowed: () =>
      logger.warn('the API server answers 429; halving the request rate for a minute'),
  })
  deps.metrics.rate.watch(throttle.perSecond)
  const kube = createKubeClient({ ...deps, metrics, throttle })
  return {
    kube,
    throttle,
    tidyKube: inLane(kube, 'tidy'),
    electionKube: createKubeClient({
      ...deps,
      metrics,
      throttle: createRequestThrottle({ clock }),
    }),
  }
}
