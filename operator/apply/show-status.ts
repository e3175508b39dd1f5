import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { CallOptions } from '../../common/kubernetes/resources/resource.ts'
import { isFinal } from '../../common/domain/states.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { ActionOf } from '../decide/actions.ts'
import { again, done, effect, recordEvent, resourceOf } from './apply-context.ts'
import type { Applied, ApplyDeps } from './apply-context.ts'
import { cacheOf } from '../observe/caches.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { Snapshot } from '../decide/snapshot.ts'
import { podRefused } from '../status/start-reason.ts'
import { camelCase, isWait } from '../status/reason.ts'
import { isEndState } from '../observe/shown-status.ts'
import type { WorkStatus } from '../observe/shown-status.ts'
import { patchTiming, statusPatch } from '../status/status-patch.ts'

const storeAgainMs = 1_000
/** A conflict on a resource is normal: the cache is slightly stale. */
const conflictAgainMs = 100
/** Fallback delay in case the notification of its turn was lost. */
const lostTurnMs = 60_000
const turnTaken = { lane: 'show', hasTurn: true } as const

export async function showStatus(
  deps: ApplyDeps,
  { command, status, version }: ActionOf<'showStatus'>,
  snapshot: Snapshot,
): Promise<Applied> {
  const { timers } = deps
  const timing = patchTiming(
    status,
    command.shown,
    timers.statusTimes(command.commandId),
    command.large,
  )
  if (timing.kind === 'later') return timing
  if (timing.kind === 'unchanged') {
    timers.statusShown(command.commandId)
    deps.showTurns.forget(command.commandId)
  } else {
    if (timing.what !== 'end' && !deps.showTurns.take(command.commandId, timing.what)) {
      return { kind: 'later', afterMs: lostTurnMs }
    }
    if ((await keepResult(deps, command, status)) === 'later') {
      return { kind: 'later', afterMs: storeAgainMs }
    }
    const turn = timing.what === 'end' ? { lane: 'end' as const } : turnTaken
    const patched = await patchStatus(deps, command, status, turn)
    if (timing.what === 'end') deps.showTurns.forget(command.commandId)
    if (patched !== 'patched') {
      return patched === 'absent' ? again : { kind: 'later', afterMs: conflictAgainMs }
    }
    timers.statusWritten(command.commandId)
    announceWait(deps, command, status)
  }
  return version === null ? done : markMirrored(deps, command, version, snapshot)
}

/**
 * Once users have seen a SUCCESS, it must survive the loss of the commit: a warm runner that was promoted
 * may not have it.
 */
async function keepResult(
  { timers, results }: ApplyDeps,
  { commandId }: CommandFacts,
  { state }: WorkStatus,
): Promise<'kept' | 'later' | 'skipped'> {
  if (!isEndState(state) || state === 'FAILED' || timers.isResultKept(commandId)) return 'kept'
  const kept = await results.keep(commandId)
  if (kept === 'kept') timers.resultKept(commandId)
  return kept
}

async function patchStatus(
  deps: ApplyDeps,
  command: CommandFacts,
  status: WorkStatus,
  turn: CallOptions,
): Promise<'patched' | 'absent' | 'conflict'> {
  const { namespace, name, uid, resourceVersion } = command.metadata
  const target = { namespace, name, uid, resourceVersion }
  try {
    const patched = await effect(deps, 'operator.status_patched', () =>
      resourceOf(deps, command.kind).mergePatchStatus(
        target,
        statusPatch(status, command.kind),
        turn,
      ),
    )
    deps.ownWrites.wrote(command.kind, patched.metadata)
    return 'patched'
  } catch (error) {
    if (!isKubeError(error, 'conflict', 'absent')) throw error
    // The cache is stale, and the event that would update it may be lost: without this read a lost
    // event means a refused write every moment until the next LIST.
    await cacheOf(deps.caches, command.kind).refresh(target)
    return isKubeError(error, 'conflict') ? 'conflict' : 'absent'
  }
}

async function markMirrored(
  deps: ApplyDeps,
  command: CommandFacts,
  version: number,
  { row }: Snapshot,
): Promise<Applied> {
  if (row === null || row.mirrored) return done
  const final = isFinal(row.status)
  if (!final && row.mirroredVersion >= version) return done
  await effect(deps, 'operator.outcome_mirrored', () =>
    deps.store.markMirrored(row.commandId, version),
  )
  if (final) announceEnd(deps, command, row)
  return done
}

/**
 * One Event per change: a new leader reads from the status what the old one has published. The account's figures
 * are those of this moment; later ones are in the status only.
 */
function announceWait(deps: ApplyDeps, command: CommandFacts, status: WorkStatus): void {
  const { reason, message } = status
  const isRefusedPod = reason === podRefused
  if (!isWait(reason) && !isRefusedPod) return
  if (reason === command.shown.reason) return
  if (!deps.timers.mayPublishWait(command.commandId)) return
  const type = isRefusedPod ? 'Warning' : 'Normal'
  recordEvent(deps, command, { type, reason, action: 'Wait', note: message ?? reason })
}

/** Once per command: a mirrored end is not mirrored again. */
function announceEnd(deps: ApplyDeps, command: CommandFacts, row: ReconcileRow): void {
  const succeeded = row.status === 'SUCCESS'
  if (command.kind === 'FfmpegCommand') deps.metrics.commandFinished(row)
  deps.logger.info('a command has ended', {
    command_id: row.commandId,
    account: row.accountName,
    status: row.status,
    error_status: row.errorStatus,
    attempts: row.attempts,
  })
  recordEvent(deps, command, {
    type: succeeded ? 'Normal' : 'Warning',
    reason: succeeded ? 'Succeeded' : camelCase(row.errorStatus ?? 'FAILED'),
    action: 'Finish',
    note: succeeded ? storedNote(command, row) : (row.errorMessage ?? '').slice(0, 900),
  })
}

function storedNote({ kind }: CommandFacts, { file, outputs }: ReconcileRow): string {
  if (kind === 'StoredFile') return `Stored ${file?.sizeBytes ?? 0} bytes`
  const count = outputs?.count ?? 0
  return `Stored ${count} ${count === 1 ? 'output' : 'outputs'}`
}
