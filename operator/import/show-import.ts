import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { done, effect, recordEvent, resourceOf } from '../apply/apply-context.ts'
import { wholeOf } from '../observe/shown-status.ts'
import { rejectedStatus, waitingStatus } from '../status/state.ts'
import { statusPatch } from '../status/status-patch.ts'
import type { Applied, ApplyDeps } from '../apply/apply-context.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { WorkStatus } from '../observe/shown-status.ts'
import type { Reason } from '../status/reason.ts'
import type { ImportRoom } from './import-room.ts'

/** The status of an object that has no row. */
export type ShowImportDeps = Pick<
  ApplyDeps,
  'commands' | 'storedFiles' | 'ownWrites' | 'term' | 'recorder' | 'effects'
> & { readonly room: Pick<ImportRoom, 'mayAnnounce' | 'forget'> }

/** Name and version that the write is guarded by. */
type Target = Pick<CommandFacts['metadata'], 'name' | 'uid' | 'resourceVersion'> & {
  readonly namespace?: string
}

/** Nothing is requeued: the room wakes the object. */
export async function showWait(
  deps: ShowImportDeps,
  command: CommandFacts,
  why: Reason,
): Promise<Applied> {
  const status = waitingStatus(why, contextOf(deps, command))
  if (wholeOf(status) === command.shown.whole) return done
  if (!deps.room.mayAnnounce(command.commandId)) return done
  return writeStatus(deps, command, { target: command.metadata, status, lane: 'show' })
}

/** If the row cannot be made, the object's status says why, and the object may be deleted freely. */
export async function showRefusal(
  deps: ShowImportDeps,
  command: CommandFacts,
  target: Target,
  why: Reason,
): Promise<Applied> {
  const status = rejectedStatus(why, contextOf(deps, command))
  deps.room.forget(command.commandId)
  const written = await writeStatus(deps, command, { target, status, lane: 'end' })
  if (written.kind !== 'done') return written
  recordEvent(deps, command, {
    type: 'Warning',
    reason: why.reason,
    action: 'Import',
    note: why.message,
  })
  return done
}

function contextOf({ effects }: ShowImportDeps, { generation, shown }: CommandFacts) {
  return { generation, shown, now: effects.clock.wall().toISOString() }
}

interface StatusWrite {
  readonly target: Target
  readonly status: WorkStatus
  readonly lane: 'show' | 'end'
}

async function writeStatus(
  deps: ShowImportDeps,
  { kind }: CommandFacts,
  { target, status, lane }: StatusWrite,
): Promise<Applied> {
  const { namespace = '', name, uid, resourceVersion } = target
  try {
    const patched = await effect(deps, 'operator.status_patched', () =>
      resourceOf(deps, kind).mergePatchStatus(
        { namespace, name, uid, resourceVersion },
        statusPatch(status, kind),
        { lane },
      ),
    )
    deps.ownWrites.wrote(kind, patched.metadata)
    return done
  } catch (error) {
    if (isKubeError(error, 'conflict', 'absent')) return { kind: 'later', afterMs: 100 }
    throw error
  }
}
