import { jobName, workKind } from '../../common/domain/resource-names.ts'
import { isFinal } from '../../common/domain/states.ts'
import { cacheOf } from '../observe/caches.ts'
import { reconcile } from '../decide/reconcile.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import type { WorkKind } from '../../common/domain/resource-names.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { Plan } from '../decide/actions.ts'
import type { Admission } from '../loops/admit.ts'
import type { Applied, ApplyDeps } from '../apply/apply-context.ts'
import { withWarmRunner } from '../observe/bound-warm-runner.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { CachedObject } from '../machinery/reflector/object-cache.ts'
import type { Place } from '../machinery/reflector/watched-objects.ts'
import type { ReconcileMetrics } from './reconcile-failures.ts'
import type { PodRefusals } from '../observe/pod-refusals.ts'
import { podlessSeconds } from '../status/start-reason.ts'
import { presentJob, snapshotOf } from '../decide/snapshot.ts'
import type { Confirmable, ReconcileSettings, Snapshot } from '../decide/snapshot.ts'

export interface ReconcileOneDeps extends ApplyDeps {
  readonly apply: (plan: Plan, snapshot: Snapshot, signal: AbortSignal) => Promise<Applied>
  readonly admission: Pick<Admission, 'reason' | 'started'>
  readonly podRefusals: PodRefusals
  readonly metrics: ApplyDeps['metrics'] & Pick<ReconcileMetrics, 'reconciled'>
  readonly settings: ReconcileSettings
  /** This version of the row needs no other reconcile. */
  readonly rowSeen: (row: Pick<ReconcileRow, 'commandId' | 'version'>) => void
  /** The database or the API server is unavailable. */
  readonly onOutage: (error: unknown) => void
}

/**
 * Each pass changes something; more than a handful in a row means that two parts of the code
 * disagree.
 */
const maxPasses = 10
const disagreementMs = 1_000
/** An event that has not come after this long is lost: the object itself is read. */
const lostEventMs = 3_000

/** One reconcile of one command: snapshot, decide, act, until no action is due now. */
export function createReconcileOne(
  deps: ReconcileOneDeps,
): (commandId: string, signal: AbortSignal) => Promise<void | { requeueAfterMs: number }> {
  return async (commandId, signal) => {
    const beganMs = deps.effects.clock.monotonicMs()
    try {
      return await passes(deps, commandId, signal)
    } catch (error) {
      const afterMs = retryLaterMs(error, deps.effects.random())
      if (afterMs === null) throw error
      deps.onOutage(error)
      return { requeueAfterMs: afterMs }
    } finally {
      deps.metrics.reconciled((deps.effects.clock.monotonicMs() - beganMs) / 1000)
    }
  }
}

async function passes(
  deps: ReconcileOneDeps,
  commandId: string,
  signal: AbortSignal,
): Promise<void | { requeueAfterMs: number }> {
  const confirmed = new Set<Confirmable>()
  const refreshed = new Set<string>()
  for (let pass = 0; pass < maxPasses; pass += 1) {
    signal.throwIfAborted()
    const snapshot = await gather(deps, commandId, confirmed)
    const waitMs = await behindOwnWrites(deps, snapshot, refreshed)
    if (waitMs === 'again') continue
    if (waitMs !== null) return { requeueAfterMs: waitMs }

    if (hasStarted(snapshot)) deps.admission.started(commandId)
    if (snapshot.row !== null) deps.rowSeen(snapshot.row)
    if (snapshot.row?.released === true) deps.timers.released(commandId)
    const plan = reconcile(snapshot)
    const applied = await deps.apply(plan, snapshot, signal)
    if (applied.kind === 'confirmed') {
      for (const action of plan.actions) if (action.kind === 'confirm') confirmed.add(action.what)
      continue
    }
    if (applied.kind === 'again') continue
    forgetFinished(deps, commandId, snapshot)
    return applied.kind === 'later' ? { requeueAfterMs: applied.afterMs } : undefined
  }
  deps.logger.warn('reconcile did not converge', { command_id: commandId })
  return { requeueAfterMs: disagreementMs }
}

/**
 * The caches first, the row last: a row that is newer than the objects makes the guards of the
 * statements refuse less, an older one would ignore a report that has been recorded since.
 */
async function gather(
  deps: ReconcileOneDeps,
  commandId: string,
  confirmed: ReadonlySet<Confirmable>,
): Promise<Snapshot> {
  const { caches, timers, effects, settings } = deps
  const commands = caches.commandsOf(commandId)
  const seen = {
    jobs: caches.jobsOf(commandId),
    pods: caches.podsOf(commandId),
    gonePods: caches.gonePodsOf(commandId),
  }
  const row = await deps.store.findForReconcile(commandId)
  // These are newer than the row, which names them: the guards of the statements see to that.
  const { jobs, pods, gonePods } = row === null ? seen : withWarmRunner(seen, row, caches)
  const command = commandOf(commands, row)
  const elapsed = timers.elapsed(commandId, { row, jobs, pods })
  const job = row === null ? null : presentJob(row, jobs)
  const isPodless = job !== null && elapsed.withoutPod >= podlessSeconds
  return snapshotOf({
    command,
    row,
    jobs,
    pods,
    gonePods,
    confirmed,
    refusal: row === null ? null : timers.refusal(commandId, row.jobGeneration),
    podRefusal: isPodless ? await deps.podRefusals.messageOf(job) : null,
    admission: row === null ? null : deps.admission.reason(row.accountId, row.vcpuCount),
    elapsed,
    now: effects.clock.wall().toISOString(),
    settings,
  })
}

function hasStarted({ row }: Snapshot): boolean {
  return row === null || row.attempt !== null || isFinal(row.status)
}

function commandOf(
  commands: readonly CommandFacts[],
  row: ReconcileRow | null,
): CommandFacts | null {
  return (
    commands.find(({ metadata }) => metadata.uid === row?.resourceUid) ??
    commands.find(({ origin }) => origin === 'dispatched') ??
    commands[0] ??
    null
  )
}

/**
 * A cache that has not seen our last write is stale: it shows steps as unfinished that are
 * finished.
 * @param refreshed what this reconcile read past the cache: it cannot be stale
 */
async function behindOwnWrites(
  deps: ReconcileOneDeps,
  snapshot: Snapshot,
  refreshed: Set<string>,
): Promise<number | 'again' | null> {
  for (const { kind, place, cached } of written(snapshot)) {
    const waitMs = deps.ownWrites.waitFor(kind, place, cached?.metadata ?? null)
    if (waitMs === null) continue
    // Applies to objects read in this reconcile too: they may have been written since.
    if (waitMs < lostEventMs) return waitMs
    const key = `${kind}/${place.namespace}/${place.name}`
    if (refreshed.has(key)) continue
    await cacheFor(deps, kind).refresh(place)
    refreshed.add(key)
    return 'again'
  }
  return null
}

function cacheFor(
  { caches }: ReconcileOneDeps,
  kind: WorkKind | 'Job' | 'Pod',
): { refresh(place: Place): Promise<unknown> } {
  if (kind === 'Job') return caches.jobs
  return kind === 'Pod' ? caches.pods : cacheOf(caches, kind)
}

/** Objects of this command that we may have written: cached ones, and the Job that should be. */
function written({ command, row, jobs, pods, settings }: Snapshot): {
  kind: WorkKind | 'Job' | 'Pod'
  place: Place
  cached: CachedObject | null
}[] {
  const expected = row === null ? null : expectedJob(row)
  const isCached = jobs.some(({ metadata }) => metadata.name === expected)
  // A warm runner is where the service itself creates objects, all else beside the command's.
  const beside = row?.warmRunnerJob === null ? command?.metadata.namespace : undefined
  const namespace = beside ?? settings.runner.namespace
  return [
    ...(command === null ? [] : [{ kind: command.kind, place: command.metadata, cached: command }]),
    ...jobs.map((job) => ({ kind: 'Job' as const, place: job.metadata, cached: job })),
    ...(expected === null || isCached
      ? []
      : [{ kind: 'Job' as const, place: { namespace, name: expected }, cached: null }]),
    ...pods
      .filter(({ warmRunner }) => warmRunner !== null)
      .map((pod) => ({ kind: 'Pod' as const, place: pod.metadata, cached: pod })),
  ]
}

function expectedJob(row: ReconcileRow): string | null {
  if (row.jobGeneration === 0 || isFinal(row.status)) return null
  return row.warmRunnerJob ?? jobName(row.commandId, row.jobGeneration, workKind(row.commandType))
}

/** The cluster holds no object of it any more, so its timers are not needed again. */
function forgetFinished(
  { timers }: ReconcileOneDeps,
  commandId: string,
  { command, row, jobs, pods }: Snapshot,
): void {
  const ended = row === null || isFinal(row.status)
  if (ended && command === null && jobs.length === 0 && pods.length === 0) {
    timers.forget(commandId)
  }
}

const databaseMs = 1_000
const clusterMs = 3_000

/**
 * Delay after an error that is not specific to the command: the database or the API server is
 * unavailable. The queue's own delay grows to minutes, and work whose delay grew in an outage would
 * then wait long after its end.
 * @returns null for an error that is about this command
 */
export function retryLaterMs(error: unknown, random: number): number | null {
  if (error instanceof DatabaseUnavailable) return databaseMs * (1 + random)
  if (!isKubeError(error, 'transient', 'throttled')) return null
  return Math.max(clusterMs, error.retryAfterMs ?? 0) * (1 + random)
}
