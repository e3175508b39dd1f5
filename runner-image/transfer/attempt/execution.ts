import type { Effects } from '../../../common/runtime/effects.ts'
import type { Assignment } from '../../../common/gateway/messages.ts'
import type { Attempt } from '../report/attempt.ts'
import type { Resolve } from '../../../common/network/guard.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Log } from '../report/log.ts'
import type { ProgressReporter } from '../report/progress-reporter.ts'
import type { StepLogs } from '../report/step-logs.ts'
import type { StoredObjects } from '../upload/stored-objects.ts'
import type { WarningList } from '../warnings/warning-list.ts'
import type { Supervisor } from '../supervisor/supervisor-link.ts'

/** Data and services that the steps of one attempt use. */
export interface Execution {
  readonly assignment: Assignment
  readonly attempt: Attempt
  /** Seconds by alias, of inputs and of outputs of earlier steps, as probes answer. */
  readonly durations: Map<string, number | null>
  readonly effects: Effects
  readonly gateway: Gateway
  readonly log: Log
  readonly logs: StepLogs
  readonly objects: StoredObjects
  readonly reporter: ProgressReporter
  readonly resolve: Resolve
  /** Aborts with the reason why this attempt is to end. */
  readonly signal: AbortSignal
  /** Being connected while inputs arrive. */
  readonly supervisor: Promise<Supervisor>
  /** Warnings of the record beside a SUCCESS. */
  readonly warnings: WarningList
  /** The working folder, absolute and without links in its path; inputs lie beside it. */
  readonly work: string
}
