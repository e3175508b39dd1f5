import type { Clock } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { WarmRunnerStore } from '../../common/store/warm-runners.ts'
import type { WarmSettings } from '../resources/runner-settings.ts'
import { desiredSize } from './pool.ts'
import type { WarmMetrics } from './warm-metrics.ts'

export interface PoolTargetDeps {
  readonly store: Pick<WarmRunnerStore, 'warmRunnerDemand'>
  readonly clock: Clock
  readonly metrics: WarmMetrics
  readonly logger: Logger
  /** Whether the cluster can change the size of a pod that runs. */
  readonly canResize: () => Promise<boolean>
}

const demandMs = 10_000

/** The number of warm runners that should wait: 0 without settings, or in a cluster that cannot resize them. */
export function createPoolTarget(
  { store, clock, metrics, logger, canResize }: PoolTargetDeps,
  warm: WarmSettings | null,
): () => Promise<number> {
  let isSupported: boolean | null = null
  let desired = warm?.min ?? 0
  let demandReadMs = -Infinity

  return async () => {
    if (warm === null || !(await supports())) return 0
    if (warm.min === warm.max) return warm.max
    if (clock.monotonicMs() - demandReadMs >= demandMs) {
      const ofClass = { vcpuCount: warm.vcpu, coldPlans: warm.coldPlans }
      desired = desiredSize(await store.warmRunnerDemand(ofClass), warm)
      demandReadMs = clock.monotonicMs()
    }
    return desired
  }

  async function supports(): Promise<boolean> {
    if (isSupported !== null) return isSupported
    isSupported = await canResize()
    metrics.off('resize', !isSupported)
    if (!isSupported) {
      logger.warn('no warm runners: this cluster does not resize running pods')
    }
    return isSupported
  }
}
