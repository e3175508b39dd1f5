import type { Registry } from 'prom-client'
import { failures } from '../../common/domain/failures.ts'
import type { ErrorStatus } from '../../common/domain/failures.ts'
import { beginAtZero, counter, histogram } from '../../common/runtime/metrics.ts'
import { longSeconds } from '../../common/store/lifecycle/metrics.ts'
import type { LifecycleMetrics } from '../../common/store/lifecycle/metrics.ts'
import type { StageTime } from '../../common/store/lifecycle/stage-times.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import { lossReasons } from '../status/loss.ts'
import type { LossReason } from '../status/loss.ts'

/** Metrics of what happens to a command. */
export interface CommandMetrics {
  commandFinished(
    row: Pick<ReconcileRow, 'status' | 'errorStatus' | 'createdAt' | 'finishedAt'>,
  ): void
  attemptLost(reason: LossReason): void
  jobCreated(secondsSinceAdmission: number): void
  /** A command ended, or its attempt was lost, before a runner had it. */
  startEnded(stages: readonly StageTime[]): void
}

export function createCommandMetrics(
  registry: Registry,
  lifecycle: Pick<LifecycleMetrics, 'stage'>,
): CommandMetrics {
  const finished = counter(registry, 'commands_finished_total', 'Commands that ended.', [
    'state',
    'error_status',
    'fault',
  ])
  beginAtZero(finished, [
    endLabels('SUCCESS', null),
    ...(Object.keys(failures) as ErrorStatus[]).map((each) => endLabels('FAILED', each)),
  ])
  const lost = counter(registry, 'attempts_lost_total', 'Attempts that were lost.', ['reason'])
  beginAtZero(
    lost,
    Object.keys(lossReasons).map((reason) => ({ reason })),
  )
  const total = histogram(
    registry,
    'command_seconds',
    'From submission to the recorded end, by the clock of the database.',
    ['state'],
    longSeconds,
  )
  return {
    commandFinished({ status, errorStatus, createdAt, finishedAt }) {
      finished.inc(endLabels(status, errorStatus))
      if (finishedAt !== null) {
        total.labels(status).observe((finishedAt.getTime() - createdAt.getTime()) / 1000)
      }
    },
    attemptLost: (reason) => lost.labels(reason).inc(),
    jobCreated: (seconds) => lifecycle.stage({ stage: 'job', outcome: 'ok', seconds }),
    startEnded: (stages) => stages.forEach(lifecycle.stage),
  }
}

function endLabels(state: ReconcileRow['status'], errorStatus: ErrorStatus | null) {
  const fault = errorStatus === null ? 'none' : failures[errorStatus].fault
  return { state, error_status: errorStatus ?? 'none', fault }
}
