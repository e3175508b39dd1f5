import {
  customResourceName,
  labels,
  poolHashOf,
  workKind,
} from '../../common/domain/resource-names.ts'
import type { Action, ActionOf, Plan, RowAction } from '../decide/actions.ts'
import { again, done, effect, resourceOf } from './apply-context.ts'
import type { Applied, ApplyDeps } from './apply-context.ts'
import { createJob, deleteJob, setJobTtl } from './apply-job.ts'
import { adoptWarmRunner, bindWarmRunner } from './apply-warm-runner.ts'
import { commitFailure, commitResult, loseAttempt } from './commit-outcome.ts'
import { recordShownOutcome, restoreKept, restoreReported } from './restore-outcome.ts'
import { cacheOf } from '../observe/caches.ts'
import { addFinalizer, deleteResource, removeFinalizer } from './record-finalizer.ts'
import { showStatus } from './show-status.ts'
import type { Place } from '../machinery/reflector/watched-objects.ts'
import { factMetadata } from '../observe/fact-metadata.ts'
import { podFacts } from '../observe/pod-facts.ts'
import { isRecorded } from '../decide/snapshot.ts'
import type { RecordedSnapshot, Snapshot } from '../decide/snapshot.ts'

/**
 * Carries a plan out, one effect after the other. If an effect fails or the process crashes after
 * it, the next reconcile plans the missing effects again from the state that it finds.
 */
export function createApply(
  deps: ApplyDeps,
): (plan: Plan, snapshot: Snapshot, signal: AbortSignal) => Promise<Applied> {
  return async (plan, snapshot, signal) => {
    let afterMs = plan.requeueAfterMs
    for (const action of plan.actions) {
      signal.throwIfAborted()
      const applied = await applyOne(deps, action, snapshot)
      if (applied.kind === 'again' || applied.kind === 'confirmed') return applied
      if (applied.kind === 'later') afterMs = Math.min(afterMs ?? Infinity, applied.afterMs)
    }
    return afterMs === null ? done : { kind: 'later', afterMs }
  }
}

function applyOne(deps: ApplyDeps, action: Action, snapshot: Snapshot): Promise<Applied> {
  switch (action.kind) {
    case 'import':
      return deps.importCommand(action.command)
    case 'wakeAdmission':
      deps.wakeAdmission()
      return Promise.resolve(done)
    case 'deleteJob':
      return deleteJob(deps, action)
    case 'setJobTtl':
      return setJobTtl(deps, action)
    case 'showStatus':
      return showStatus(deps, action, snapshot)
    case 'addFinalizer':
      return addFinalizer(deps, action.command)
    case 'removeFinalizer':
      return removeFinalizer(deps, action.command)
    case 'deleteResource':
      return deleteResource(deps, action.command)
    default:
      return isRecorded(snapshot) ? applyToRow(deps, action, snapshot) : Promise.resolve(again)
  }
}

function applyToRow(
  deps: ApplyDeps,
  action: RowAction,
  snapshot: RecordedSnapshot,
): Promise<Applied> {
  switch (action.kind) {
    case 'confirm':
      return confirm(deps, action, snapshot)
    case 'adoptResource':
      return rowChange(deps, snapshot, 'operator.resource_adopted', (commandId) =>
        deps.store.markDispatched(commandId, action.uid),
      )
    case 'undispatch':
      return undispatch(deps, action, snapshot)
    case 'createJob':
      return createJob(deps, action, snapshot)
    case 'bindWarmRunner':
      return bindWarmRunner(deps, action, snapshot)
    case 'adoptWarmRunner':
      return adoptWarmRunner(deps, action, snapshot)
    case 'loseAttempt':
      return loseAttempt(deps, action, snapshot)
    case 'commitFailure':
      return commitFailure(deps, action, snapshot)
    case 'commitResult':
      return commitResult(deps, action, snapshot)
    case 'recordShownOutcome':
      return recordShownOutcome(deps, action, snapshot)
    case 'restoreReported':
      return restoreReported(deps, action, snapshot)
    case 'markMirrored':
      return bookkeeping(deps, snapshot, 'operator.outcome_mirrored', (commandId) =>
        deps.store.markMirrored(commandId, action.version),
      )
    case 'recordStartWait':
      return bookkeeping(deps, snapshot, 'operator.start_wait_recorded', (commandId) =>
        deps.store.recordStartWait(commandId, action.reason),
      )
    case 'releaseQuota':
      return bookkeeping(deps, snapshot, 'operator.quota_released', async (commandId) => {
        const released = await deps.store.releaseQuota(commandId)
        deps.timers.released(commandId)
        // The next in line starts in the same second; a full quota never backs off.
        if (released) deps.wakeAdmission()
      })
    case 'markResourceDeleted':
      return bookkeeping(deps, snapshot, 'operator.deletion_recorded', (commandId) =>
        deps.store.markResourceDeleted(commandId),
      )
  }
}

/** The resource that is gone may have shown an end that the database has lost since. */
async function undispatch(
  deps: ApplyDeps,
  { resourceUid }: ActionOf<'undispatch'>,
  snapshot: RecordedSnapshot,
): Promise<Applied> {
  const { row } = snapshot
  const kept = row.attempt === null ? null : await restoreKept(deps, row, row.attempt)
  if (kept !== null) return kept
  return rowChange(deps, snapshot, 'operator.undispatched', (commandId) =>
    deps.store.undispatch(commandId, resourceUid),
  )
}

/** A change after which the row has to be read again before anything else is decided. */
async function rowChange(
  deps: ApplyDeps,
  { row }: RecordedSnapshot,
  name: Parameters<typeof effect>[1],
  change: (commandId: string) => Promise<void>,
): Promise<Applied> {
  await effect(deps, name, () => change(row.commandId))
  return again
}

async function bookkeeping(
  deps: ApplyDeps,
  snapshot: RecordedSnapshot,
  name: Parameters<typeof effect>[1],
  change: (commandId: string) => Promise<void>,
): Promise<Applied> {
  await rowChange(deps, snapshot, name, change)
  return done
}

async function confirm(
  deps: ApplyDeps,
  { what }: ActionOf<'confirm'>,
  snapshot: RecordedSnapshot,
): Promise<Applied> {
  const isAsCached =
    what === 'command' ? await isCommandGone(deps, snapshot) : await areAllPodsSeen(deps, snapshot)
  return isAsCached ? { kind: 'confirmed' } : again
}

/** Adds to the cache the objects that only the API server shows. */
async function isCommandGone(deps: ApplyDeps, { row }: RecordedSnapshot): Promise<boolean> {
  const { commandId, commandType, resourceUid } = row
  const kind = workKind(commandType)
  const cache = cacheOf(deps.caches, kind)
  const { home, namespaces } = deps.caches
  const name = customResourceName(commandId, kind)
  if ((await cache.refresh({ namespace: home, name })) !== null) return false
  if (resourceUid !== commandId) return true
  // Applied by hand under an unrecorded name: rare enough to list all objects.
  const resource = resourceOf(deps, kind)
  for await (const item of pages(resource, namespaces)) {
    const { metadata } = resource.parse(item)
    if (metadata.uid !== resourceUid) continue
    await cache.refresh(factMetadata(metadata))
    return false
  }
  return true
}

/** Corrects the cache if it is stale: pods that it has not seen, and pods whose end it missed. */
async function areAllPodsSeen(deps: ApplyDeps, { row, pods }: RecordedSnapshot): Promise<boolean> {
  const { commandId, attempt, warmRunnerJob } = row
  // A namespace that does not answer must not keep commands of others.
  const namespaces = deps.caches.namespaces.filter((at) => deps.caches.mayBelong(commandId, at))
  const missing = new Map<string, Place>(pods.map(({ metadata }) => [metadata.uid, metadata]))
  const wrong: Place[] = []
  const see = async (selector: string): Promise<void> => {
    for await (const item of pages(deps.pods, namespaces, selector)) {
      const pod = podFacts(deps.pods.parse(item))
      const { uid } = pod.metadata
      const isOurs = pod.commandId === commandId || uid === attempt
      if (isOurs && !missing.delete(uid) && !seen.has(uid)) wrong.push(pod.metadata)
      seen.add(uid)
    }
  }
  const seen = new Set<string>()
  await see(`${labels.commandId}=${commandId}`)
  // The pod of a warm runner may not have the command's label yet.
  if (warmRunnerJob !== null) await see(`${labels.pool}=${poolHashOf(warmRunnerJob)}`)
  wrong.push(...missing.values())
  for (const place of wrong) await deps.caches.pods.refresh(place)
  return wrong.length === 0
}

async function* pages(
  resource: Pick<ApplyDeps['pods'], 'listPage'>,
  namespaces: readonly string[],
  labelSelector?: string,
): AsyncGenerator<unknown> {
  for (const namespace of namespaces) {
    let continueToken: string | null = null
    do {
      const page = await resource.listPage({
        namespace,
        limit: 500,
        lane: 'end' as const,
        ...(labelSelector === undefined ? {} : { labelSelector }),
        ...(continueToken === null ? {} : { continueToken }),
      })
      yield* page.items
      continueToken = page.continueToken
    } while (continueToken !== null)
  }
}
