import type { Effects } from '../../common/runtime/effects.ts'
import type {
  FfmpegCommand,
  Lease,
  StoredFileObject,
} from '../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'
import type { WorkHints } from '../../common/store/hints.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Store } from '../../common/store/store.ts'
import type { DispatchMetrics } from './dispatch-metrics.ts'

export interface DispatcherDeps {
  readonly store: Pick<
    Store,
    'claimUndispatched' | 'markDispatched' | 'recordDispatchFailure' | 'commitOutcome'
  >
  readonly commands: Resource<FfmpegCommand>
  readonly storedFiles: Resource<StoredFileObject>
  readonly leases: Pick<Resource<Lease>, 'create' | 'mergePatch'>
  readonly namespace: string
  /** Maximum number of custom resources of commands that have not ended; further commands stay in the database. */
  readonly liveCommands: number
  /** Maximum number of custom resources of one account that wait for admission, stored files counted apart. */
  readonly lookAhead: number
  /** Milliseconds between two polls for rows that other replicas did not finish; longer when none are found. */
  readonly pollMs?: number
  readonly hints: WorkHints
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: DispatchMetrics
}
