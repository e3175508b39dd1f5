import { workKind } from '../../common/domain/resource-names.ts'
import { isFinal } from '../../common/domain/states.ts'
import { plan } from './actions.ts'
import type { Action, Plan } from './actions.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import { reconcileFinal } from './reconcile-final.ts'
import { reconcileLive } from './reconcile-live.ts'
import { isRecorded, isWhole } from './snapshot.ts'
import type { RecordedSnapshot, Snapshot, WholeSnapshot } from './snapshot.ts'
import { rejectionToShow } from './status-to-show.ts'
import { referenceHash } from '../resources/spec-hash.ts'
import type { Reason } from '../status/reason.ts'

/**
 * Plans the actions for one command from the present state only: the event that triggered it does
 * not matter, and a repetition is idempotent.
 *
 * A final row never reaches the path that creates Jobs. A deletion timestamp is a user's request
 * and means cancel; an absent object without one is damage and is repaired from the row.
 */
export function reconcile(snapshot: Snapshot): Plan {
  const { command } = snapshot
  if (command?.origin === 'misnamed') return reject(snapshot, command, misnamed)
  if (!isRecorded(snapshot)) return command === null ? plan([]) : withoutRow(snapshot, command)
  if (!isWhole(snapshot)) return withoutCommand(snapshot)
  if (snapshot.row.resourceUid !== snapshot.command.metadata.uid) return otherResource(snapshot)
  return isFinal(snapshot.row.status) ? reconcileFinal(snapshot) : reconcileLive(snapshot)
}

const misnamed: Reason = {
  reason: 'NotOurs',
  message:
    'The id in the spec is set by the service alone, on objects named after it: leave it out and apply a new object',
}

const notFromThisRow: Reason = {
  reason: 'NotOurs',
  message: 'Other work has this id: leave it out of the spec and apply a new object',
}

/** Applied with kubectl, or left over by a database that was restored to an earlier hour. */
function withoutRow({ jobs }: Snapshot, command: CommandFacts): Plan {
  // There is no record and no Job, so there is nothing to wait for.
  if (command.deleting) {
    return plan(command.recordFinalizer ? [{ kind: 'removeFinalizer', command }] : [])
  }
  if (command.shown.rejected) {
    const own = jobs.filter((job) => job.ownerUid === command.metadata.uid && !job.deleting)
    return plan(own.map((job) => ({ kind: 'deleteJob', job, why: 'its record is lost' })))
  }
  return plan([{ kind: 'import', command }])
}

function withoutCommand(snapshot: RecordedSnapshot): Plan {
  const { row } = snapshot
  // The row lost its resource (undispatched) and ended before dispatch created another.
  const ended = isFinal(row.status) && !row.released
  if (row.resourceUid === null) return ended ? reconcileFinal(snapshot) : plan([])
  // All is shown and released, so the object may be gone; if it went early, the sweep records that.
  if (isFinal(row.status) && row.mirrored && row.released) return plan([])
  if (!snapshot.confirmed.has('command')) {
    return plan([{ kind: 'confirm', what: 'command', name: row.commandId }])
  }
  return isFinal(row.status)
    ? reconcileFinal(snapshot)
    : plan([{ kind: 'undispatch', resourceUid: row.resourceUid }])
}

/**
 * The object exists under the row's name, but the row does not have its UID: dispatch crashed
 * before it recorded the UID, or the object was deleted and made again. Names are unique, so an
 * earlier one is gone for certain.
 */
function otherResource(snapshot: WholeSnapshot): Plan {
  const { command, row, generation } = snapshot
  const ours = command.byReference ? referenceHash(row) : generation.specHash
  const isOther = command.specHash !== ours || command.kind !== workKind(row.commandType)
  if (command.origin === 'dispatched' && isOther) {
    return reject(snapshot, command, notFromThisRow)
  }
  // A stale object: applied again from a copy, or by a request of dispatch that arrived very late.
  if (isFinal(row.status) && row.resourceUid !== null) {
    const { actions, requeueAfterMs } = reconcileFinal(snapshot)
    const leave: Action[] = row.released ? [{ kind: 'deleteResource', command }] : []
    return plan([...actions, ...leave], requeueAfterMs)
  }
  const { uid } = command.metadata
  return row.resourceUid === null
    ? plan([{ kind: 'adoptResource', uid }])
    : plan([
        { kind: 'undispatch', resourceUid: row.resourceUid },
        { kind: 'adoptResource', uid },
      ])
}

/** The object's status says so once; the row of that id is not changed. */
function reject(snapshot: Snapshot, command: CommandFacts, why: Reason): Plan {
  if (command.recordFinalizer) return plan([{ kind: 'removeFinalizer', command }])
  if (command.deleting || command.shown.rejected) return plan([])
  return plan([rejectionToShow(snapshot, command, why)])
}
