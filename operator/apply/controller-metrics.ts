import type { Registry } from 'prom-client'
import { failures } from '../../common/domain/failures.ts'
import type { ErrorStatus } from '../../common/domain/failures.ts'
import { beginAtZero, counter, gauge, histogram } from '../../common/runtime/metrics.ts'
import { queueReasons } from '../../common/domain/states.ts'
import { longSeconds } from '../../common/store/lifecycle/metrics.ts'
import type { StageTime } from '../../common/store/lifecycle/stage-times.ts'
import type { LifecycleMetrics } from '../../common/store/lifecycle/metrics.ts'
import type { WorkKind } from '../../common/domain/resource-names.ts'
import type { Gauges, SweepBacklog } from '../../common/store/health.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import { createPassMetrics } from '../admission/pass-metrics.ts'
import type { PassMetrics } from '../admission/pass-metrics.ts'
import { lossReasons } from '../status/loss.ts'
import type { LossReason } from '../status/loss.ts'

export type SweptKind = 'resource' | 'attempt' | 'file' | 'orphan'

export interface QuotaDifferences {
  /** Commands that hold vCPUs in the database and have neither a Job nor a pod. */
  readonly unused: number
  /** Commands with a Job or a pod that hold none: the cluster runs more than the database counts. */
  readonly uncounted: number
}

/** Metrics of the leader. Labels come from closed lists only, never from a command or account. */
export interface ControllerMetrics extends PassMetrics {
  commandFinished(
    row: Pick<ReconcileRow, 'status' | 'errorStatus' | 'createdAt' | 'finishedAt'>,
  ): void
  attemptLost(reason: LossReason): void
  jobCreated(secondsSinceAdmission: number): void
  /** A command ended, or its attempt was lost, before a runner had it. */
  startEnded(stages: readonly StageTime[]): void
  admitted(commands: number): void
  reconciled(seconds: number): void
  reconcileFailed(errorClass: string): void
  swept(kind: SweptKind): void
  importsWaiting(kind: WorkKind, objects: number): void
  sweepBacklog(kind: SweptKind, backlog: SweepBacklog): void
  /** @param seconds of reading the result and storing it */
  resultObject(outcome: 'stored' | 'skipped', seconds: number): void
  /** @param from what the end was recorded from again */
  outcomeRestored(from: RestoreSource): void
  /** An end that was shown could not be recorded again, because its objects or its result are gone. */
  shownOutcomeLost(): void
  /** @param before history at the comparison before; null for the first one */
  historyCompared(before: string | null): void
  /** Custom resources whose row was lost and cannot be inserted again. */
  lostRecords(count: number): void
  suspendedJobs(count: number): void
  /** @param seconds since the oldest pod ended whose command shows no end; 0 without one */
  unrecorded(seconds: number): void
  quotaDifferences(differences: QuotaDifferences): void
  liveResources(kind: WorkKind, count: number): void
  figures(gauges: Gauges): void
}

export type RestoreSource = 'result_object' | 'termination_message' | 'custom_resource'

export function createControllerMetrics(
  registry: Registry,
  lifecycle: Pick<LifecycleMetrics, 'stage'>,
): ControllerMetrics {
  return {
    ...commandMetrics(registry),
    ...reconcileMetrics(registry),
    ...sweepMetrics(registry),
    ...clusterMetrics(registry),
    ...historyMetrics(registry),
    ...createPassMetrics(registry),
    jobCreated: (seconds) => lifecycle.stage({ stage: 'job', outcome: 'ok', seconds }),
    startEnded: (stages) => stages.forEach(lifecycle.stage),
    figures: figureGauges(registry),
  }
}

/** Metrics of commands from their admission to their end. */
function commandMetrics(
  registry: Registry,
): Pick<ControllerMetrics, 'commandFinished' | 'attemptLost' | 'admitted'> {
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
  const admissions = counter(registry, 'admissions_total', 'Commands that were admitted.')
  return {
    commandFinished({ status, errorStatus, createdAt, finishedAt }) {
      finished.inc(endLabels(status, errorStatus))
      if (finishedAt !== null) {
        total.labels(status).observe((finishedAt.getTime() - createdAt.getTime()) / 1000)
      }
    },
    attemptLost: (reason) => lost.labels(reason).inc(),
    admitted: (commands) => admissions.inc(commands),
  }
}

function reconcileMetrics(
  registry: Registry,
): Pick<ControllerMetrics, 'reconciled' | 'reconcileFailed' | 'importsWaiting'> {
  const reconciles = histogram(
    registry,
    'reconcile_seconds',
    'Duration of one reconcile of one command.',
  )
  const errors = counter(registry, 'reconcile_errors_total', 'Reconciles that failed.', ['class'])
  const imports = gauge(
    registry,
    'imports_waiting',
    'Applied objects without a record that wait because the queue of their account is full.',
    ['kind'],
  )
  return {
    reconciled: (took) => reconciles.observe(took),
    reconcileFailed: (errorClass) => errors.labels(errorClass).inc(),
    importsWaiting: (kind, objects) => imports.labels(kind).set(objects),
  }
}

function sweepMetrics(registry: Registry): Pick<ControllerMetrics, 'swept' | 'sweepBacklog'> {
  const swept = counter(registry, 'swept_total', 'What the sweep removed.', ['kind'])
  const oldest = gauge(
    registry,
    'sweep_oldest_seconds',
    'Time since the oldest of what the sweep has not removed became due; a failed file counts from its creation.',
    ['kind'],
  )
  const items = gauge(
    registry,
    'sweep_items',
    'What the sweep has not removed after its last pass: due, or failing (tried again after a backoff); counted to 10,000.',
    ['kind', 'state'],
  )
  return {
    swept: (kind) => swept.labels(kind).inc(),
    sweepBacklog(kind, { due, failing, oldestSeconds }) {
      items.labels(kind, 'due').set(due)
      items.labels(kind, 'failing').set(failing)
      oldest.labels(kind).set(oldestSeconds)
    },
  }
}

/** Metrics of objects in the cluster, and of their differences from the rows. */
function clusterMetrics(
  registry: Registry,
): Pick<ControllerMetrics, 'suspendedJobs' | 'unrecorded' | 'quotaDifferences' | 'liveResources'> {
  const suspended = gauge(
    registry,
    'suspended_jobs',
    'Jobs that wait for Kueue, also those it has evicted.',
  )
  const resources = gauge(registry, 'live_resources', 'Custom resources in the cluster.', ['kind'])
  const differences = gauge(
    registry,
    'quota_differences',
    'Commands for which database and cluster have differed for two minutes: unused ones hold vCPUs without a Job, uncounted ones run and hold none.',
    ['kind'],
  )
  const unrecorded = gauge(
    registry,
    'unrecorded_terminal_age_seconds',
    'Since the oldest pod was seen to have ended whose command shows no end; 0 without one.',
  )
  return {
    suspendedJobs: (count) => suspended.set(count),
    unrecorded: (age) => unrecorded.set(age),
    quotaDifferences({ unused, uncounted }) {
      differences.labels('unused').set(unused)
      differences.labels('uncounted').set(uncounted)
    },
    liveResources: (kind, count) => resources.labels(kind).set(count),
  }
}

function endLabels(state: ReconcileRow['status'], errorStatus: ErrorStatus | null) {
  const fault = errorStatus === null ? 'none' : failures[errorStatus].fault
  return { state, error_status: errorStatus ?? 'none', fault }
}

/** Metrics of recorded ends that users were shown, and of their restoration. */
function historyMetrics(
  registry: Registry,
): Pick<
  ControllerMetrics,
  'resultObject' | 'outcomeRestored' | 'shownOutcomeLost' | 'historyCompared' | 'lostRecords'
> {
  const objects = counter(
    registry,
    'result_objects_total',
    'Successful ends by what became of their result object: stored, or skipped because the object store was unavailable.',
    ['outcome'],
  )
  const seconds = histogram(
    registry,
    'result_object_seconds',
    'From the leader reading a SUCCESS to its stored result object; the custom resource shows it next.',
  )
  const restored = counter(
    registry,
    'outcomes_restored_total',
    'Ends that the database had lost and that were recorded again.',
    ['from'],
  )
  const lost = counter(
    registry,
    'shown_outcomes_lost_total',
    'Ends that were shown as SUCCESS and could not be recorded again.',
  )
  const compared = counter(
    registry,
    'history_comparisons_total',
    'Comparisons of all custom resources with their rows after the database was restarted, promoted or restored.',
  )
  const changes = counter(
    registry,
    'database_timeline_changes_total',
    'Restarts, promotions and restores of the database that the leader has seen.',
  )
  const orphans = gauge(
    registry,
    'orphans',
    'What has lost its record: custom resources without a row that cannot be inserted again.',
    ['kind'],
  )
  return {
    resultObject(outcome, took) {
      objects.labels(outcome).inc()
      if (outcome === 'stored') seconds.observe(took)
    },
    outcomeRestored: (from) => restored.labels(from).inc(),
    shownOutcomeLost: () => lost.inc(),
    historyCompared(before) {
      compared.inc()
      if (before !== null) changes.inc()
    },
    lostRecords: (count) => orphans.labels('record').set(count),
  }
}

function figureGauges(registry: Registry): (gauges: Gauges) => void {
  const commands = gauge(registry, 'commands', 'Commands that have not ended.', ['state'])
  const of = (name: string, help: string) => gauge(registry, name, help, ['reason'])
  const waiting = {
    commands: of(
      'waiting_commands',
      'Commands that wait, by what for: queue_reason of the record; that of an account counts for its whole queue, NONE until a pass has left one.',
    ),
    vcpus: of('waiting_vcpus', 'vCPUs of the commands that wait, by what for.'),
    oldestSeconds: of('waiting_oldest_seconds', 'Age of the oldest that waits, by what for.'),
  }
  const single = {
    ledgerVcpus: gauge(registry, 'running_vcpus', 'vCPUs that admitted commands hold.'),
    unmirroredSeconds: gauge(
      registry,
      'unmirrored_age_seconds',
      'Age of the oldest change that a custom resource does not show.',
    ),
    undispatchedSeconds: gauge(
      registry,
      'undispatched_age_seconds',
      'Age of the oldest command without a custom resource.',
    ),
    dispatchErrorSeconds: gauge(
      registry,
      'dispatch_error_seconds',
      'Time since the first error of the command whose custom resource the cluster has refused for longest; 0 without one.',
    ),
  }
  return (now) => {
    commands.reset()
    for (const [state, count] of Object.entries(now.byStatus)) commands.labels(state).set(count)
    for (const reason of [...queueReasons, 'NONE'] as const) {
      const present = now.waiting[reason] ?? { commands: 0, vcpus: 0, oldestSeconds: 0 }
      waiting.commands.labels(reason).set(present.commands)
      waiting.vcpus.labels(reason).set(present.vcpus)
      waiting.oldestSeconds.labels(reason).set(present.oldestSeconds)
    }
    single.ledgerVcpus.set(now.ledgerVcpus)
    single.unmirroredSeconds.set(now.unmirroredSeconds)
    single.undispatchedSeconds.set(now.undispatchedSeconds)
    single.dispatchErrorSeconds.set(now.dispatchErrorSeconds)
  }
}
