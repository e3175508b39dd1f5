import type { Plans } from '../../common/domain/plans.ts'
import type { KubeEvent } from '../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'
import type { RequestThrottle } from '../../common/kubernetes/throttle/request-throttle.ts'
import type { WorkHints } from '../../common/store/hints.ts'
import type { ApplyDeps } from '../apply/apply-context.ts'
import type { ResultKeeperDeps } from '../apply/result-keeper.ts'
import type { ImportSettings } from '../import/import.ts'
import type { ReconcileSettings } from '../decide/snapshot.ts'
import type { AdmissionSettings } from '../loops/admit.ts'
import type { FinishedSettings } from '../loops/sweep/sweep-finished.ts'
import type { SweepStorage } from '../loops/sweep/sweep-objects.ts'
import type { WorkQueueMetrics } from '../machinery/work-queue-metrics.ts'
import type { ControllerMetrics } from './controller-metrics.ts'
import type { Housekeeping } from './housekeeping.ts'
import type { WarmRunnerWaiters } from '../warm/warm-runner-waiters.ts'
import type { WarmMetrics } from '../warm/warm-metrics.ts'

export interface ControllerDeps extends Omit<
  ApplyDeps,
  'timers' | 'results' | 'importCommand' | 'wakeAdmission' | 'showTurns' | 'warm' | 'warmMetrics'
> {
  /** Runners that wait at the gateway of this process. */
  readonly waiters: Pick<WarmRunnerWaiters, 'offers' | 'answer' | 'onChange'>
  readonly canResize: () => Promise<boolean>
  readonly metrics: ControllerMetrics
  readonly warmMetrics: WarmMetrics
  readonly throttle: RequestThrottle
  readonly plans: Plans
  readonly storage: ApplyDeps['storage'] & SweepStorage & ResultKeeperDeps['storage']
  readonly housekeeping: Housekeeping
  /** Periodic search for objects in namespaces that no release watches; null if disabled. */
  readonly noticeForeign: ((signal: AbortSignal) => Promise<void>) | null
  /** Those of Jobs, for why these have no pod. */
  readonly events: Pick<Resource<KubeEvent>, 'listPage' | 'parse'>
  readonly queueMetrics: WorkQueueMetrics
  readonly hints: WorkHints
  readonly settings: ControllerSettings
}

export interface ControllerSettings extends ReconcileSettings {
  readonly imports: ImportSettings
  readonly admission: AdmissionSettings
  readonly finished: FinishedSettings
  /** A SUCCESS is shown once its result object is in the bucket. */
  readonly resultObjects: boolean
  /** Objects of lost attempts are kept this long: a client may be reading one by its URL. */
  readonly sweepObjectsAfterSeconds: number
}
