import { vcpusOf } from '../../common/domain/vcpus.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { ActionOf, AdoptWarmRunner } from '../decide/actions.ts'
import type { RecordedSnapshot } from '../decide/snapshot.ts'
import { sizeText } from '../resources/warm-runner-size.ts'
import type { Place } from '../machinery/reflector/watched-objects.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { FactMetadata } from '../observe/fact-metadata.ts'
import type { UsableOffer } from '../warm/usable-offers.ts'
import { again, done, effect, recordEvent } from './apply-context.ts'
import type { Applied, ApplyDeps } from './apply-context.ts'
import { createJob } from './apply-job.ts'

/** A request that is not answered must not keep the command's next reconcile from a cancellation. */
const deadlineMs = 5_000
const refusedAgainMs = 5_000

/** Tries one pod after the other; the command never waits for one. */
export async function bindWarmRunner(
  deps: ApplyDeps,
  { otherwise }: ActionOf<'bindWarmRunner'>,
  snapshot: RecordedSnapshot,
): Promise<Applied> {
  const { row } = snapshot
  for (;;) {
    const taken = deps.warm.take(row)
    if (taken === null) return createJob(deps, otherwise, snapshot)
    const bound = await bind(deps, row, taken)
    deps.warm.settle(taken, bound.kind)
    if (bound.kind === 'taken') continue
    if (bound.kind === 'not-waiting') return again
    deps.warm.answer(taken.offer.podUid, bound.row)
    announce(deps, otherwise.command, row, taken)
    return again
  }
}

async function bind(
  { warm, store, ...deps }: ApplyDeps,
  { commandId }: ReconcileRow,
  taken: UsableOffer,
): ReturnType<ApplyDeps['store']['bindWarmRunner']> {
  const { podUid } = taken.offer
  const warmRunnerJob = taken.job.metadata.name
  const waitedSeconds = taken.runsSeconds
  try {
    return await effect(deps, 'operator.warm_runner_bound', () =>
      store.bindWarmRunner({ commandId, podUid, warmRunnerJob, waitedSeconds }),
    )
  } catch (error) {
    warm.settle(taken, 'unknown')
    throw error
  }
}

function announce(
  deps: ApplyDeps,
  command: CommandFacts,
  row: ReconcileRow,
  { job, pod }: UsableOffer,
): void {
  recordEvent(deps, command, {
    type: 'Normal',
    reason: 'StandbyBound',
    action: 'BindWarmRunner',
    note: `Bound the waiting pod ${pod.metadata.name} of Job ${job.metadata.name} with ${vcpusOf(row)} vCPUs`,
  })
}

/**
 * Sends three concurrent writes, the resize first because the command already runs. Each is guarded by the
 * UID, so an object that has taken the name is left alone.
 */
export async function adoptWarmRunner(
  deps: ApplyDeps,
  action: ActionOf<'adoptWarmRunner'>,
  { row }: RecordedSnapshot,
): Promise<Applied> {
  // The request may still be open here, if the reply to the statement that bound the runner was lost.
  deps.warm.answer(action.podUid, row)
  const parts = await Promise.allSettled([
    resize(deps, action, row),
    adoptJob(deps, action.job),
    label(deps, action.pod),
  ])
  const failed = parts.find((part) => part.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  const results = parts.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : []))
  return results.find(({ kind }) => kind === 'again') ?? results.find(isLater) ?? done
}

function isLater({ kind }: Applied): boolean {
  return kind === 'later'
}

async function resize(
  deps: ApplyDeps,
  { resize: patch, podUid }: AdoptWarmRunner,
  { commandId }: ReconcileRow,
): Promise<Applied> {
  if (patch === null) return done
  const { target, body, node, size } = patch
  const { clock } = deps.effects
  const beganMs = clock.monotonicMs()
  const took = (): number => (clock.monotonicMs() - beganMs) / 1_000
  try {
    const patched = await effect(deps, 'operator.warm_runner_resized', () =>
      deps.pods.strategicPatch({ ...at(target), subresource: 'resize' }, body, options),
    )
    deps.ownWrites.wrote('Pod', patched.metadata)
    deps.warmMetrics.resized('done', took())
    if (sizeText(patched.spec.containers) !== size) deps.timers.sizeSettled(commandId, podUid)
    return done
  } catch (error) {
    if (isKubeError(error, 'conflict')) return refreshPod(deps, target)
    // 404 too: of the pod, which the cache shows next, or of a resource that this server does not have.
    if (!isKubeError(error, 'forbidden', 'quota', 'invalid', 'absent')) throw error
    deps.warmMetrics.resized('refused', took())
    // A pod that has ended meanwhile cannot be resized either (422), which says nothing about its node.
    if (isKubeError(error, 'forbidden', 'quota')) deps.warm.resizeRefused(node)
    deps.timers.resizeRefused(commandId, podUid, error.message.slice(0, 500))
    deps.logger.warn('resize of a warm runner refused', { command_id: commandId, error })
    return again
  }
}

async function adoptJob(deps: ApplyDeps, patch: AdoptWarmRunner['job']): Promise<Applied> {
  if (patch === null) return done
  const { target, body } = patch
  try {
    const patched = await effect(deps, 'operator.warm_runner_adopted', () =>
      deps.jobs.mergePatch(at(target), body, options),
    )
    deps.ownWrites.wrote('Job', patched.metadata)
    return done
  } catch (error) {
    if (isKubeError(error, 'absent', 'conflict')) {
      await deps.caches.jobs.refresh(target)
      return again
    }
    return notNow(deps, error, target.name)
  }
}

async function label(deps: ApplyDeps, patch: AdoptWarmRunner['pod']): Promise<Applied> {
  if (patch === null) return done
  const { target, body } = patch
  try {
    const patched = await effect(deps, 'operator.warm_runner_labelled', () =>
      deps.pods.mergePatch(at(target), body, options),
    )
    deps.ownWrites.wrote('Pod', patched.metadata)
    return done
  } catch (error) {
    if (isKubeError(error, 'absent', 'conflict')) return refreshPod(deps, target)
    return notNow(deps, error, target.name)
  }
}

async function refreshPod({ caches }: ApplyDeps, place: Place): Promise<Applied> {
  await caches.pods.refresh(place)
  return again
}

/** The command runs without it; a missing right is granted by the next upgrade of the chart. */
function notNow({ logger }: ApplyDeps, error: unknown, name: string): Applied {
  if (!isKubeError(error, 'forbidden', 'quota', 'invalid')) throw error
  logger.error('cannot adopt a warm runner', { object: name, error })
  return { kind: 'later', afterMs: refusedAgainMs }
}

const options = { lane: 'end', deadlineMs } as const

/** Without resourceVersion: no concurrent change can make these writes wrong. */
function at({ namespace, name, uid }: FactMetadata) {
  return { namespace, name, uid }
}
