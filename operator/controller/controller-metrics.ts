import type { Registry } from 'prom-client'
import type { LifecycleMetrics } from '../../common/store/lifecycle/metrics.ts'
import { createPassMetrics } from '../admission/pass-metrics.ts'
import { createCommandMetrics } from '../apply/command-metrics.ts'
import { createHistoryMetrics } from '../apply/history-metrics.ts'
import { createImportMetrics } from '../import/import-room.ts'
import { createSweepMetrics } from '../loops/sweep/sweep-metrics.ts'
import { createFigureMetrics } from './figures.ts'
import { createReconcileMetrics } from './reconcile-failures.ts'

export type ControllerMetrics = ReturnType<typeof createControllerMetrics>

/** Metrics that only the leader counts. Labels come from closed lists, never from a command or account. */
export function createControllerMetrics(
  registry: Registry,
  lifecycle: Pick<LifecycleMetrics, 'stage'>,
) {
  return {
    ...createCommandMetrics(registry, lifecycle),
    ...createFigureMetrics(registry),
    ...createHistoryMetrics(registry),
    ...createImportMetrics(registry),
    ...createReconcileMetrics(registry),
    ...createPassMetrics(registry),
    ...createSweepMetrics(registry),
  }
}
