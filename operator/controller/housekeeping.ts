import { createFileSweep } from '../loops/sweep/sweep-files.ts'
import type { FileSweepDeps } from '../loops/sweep/sweep-files.ts'
import { createOrphanSweep } from '../loops/sweep/sweep-orphans.ts'
import type { OrphanSweepDeps } from '../loops/sweep/sweep-orphans.ts'
import { createRetention } from '../loops/retention/retention.ts'
import type { RetentionDeps } from '../loops/retention/retention.ts'
import type { DeletionDeps } from '../loops/retention/delete-accounts.ts'
import type { SweepPass } from '../loops/drain.ts'
import type { RetentionMetrics } from '../loops/retention/retention-metrics.ts'

/** Passes of the loops that delete old data; no command waits for them. */
export interface Housekeeping {
  /** Deleted and failed files. */
  readonly sweepFiles: SweepPass
  /** Objects that belong to no row. */
  readonly sweepOrphans: SweepPass
  /** Old rows, and accounts. */
  readonly retention: (signal: AbortSignal) => Promise<void>
}

export function createHousekeeping(
  deps: FileSweepDeps &
    OrphanSweepDeps &
    Omit<RetentionDeps & DeletionDeps, 'metrics'> & { readonly retentionMetrics: RetentionMetrics },
): Housekeeping {
  return {
    sweepFiles: createFileSweep(deps),
    sweepOrphans: createOrphanSweep(deps),
    retention: createRetention({ ...deps, metrics: deps.retentionMetrics }),
  }
}
