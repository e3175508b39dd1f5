import { jobName } from '../../common/domain/resource-names.ts'
import type { Action } from './actions.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { Round } from './round.ts'
import type { Snapshot } from './snapshot.ts'
import { workStatusFor } from '../status/work-status.ts'
import type { Reason } from '../status/reason.ts'
import { rejectedStatus } from '../status/state.ts'

/** Writes the row's present state to the status of its resource. */
export function showStatus(
  { now, settings }: Snapshot,
  command: CommandFacts,
  { row, limits, waiting }: Round,
): Action {
  const status = workStatusFor(row, {
    generation: command.generation,
    shown: command.shown,
    now,
    clocks: limits.clocks,
    jobName:
      row.round === 0 ? null : (row.standbyJob ?? jobName(row.commandId, row.round, command.kind)),
    waiting,
    publicBaseUrl: settings.publicBaseUrl,
    byReference: command.byReference,
  })
  return { kind: 'showStatus', command, status, version: row.version }
}

/** Writes to the status of an object without a row why it gets none. */
export function showRejection({ now }: Snapshot, command: CommandFacts, why: Reason): Action {
  const status = rejectedStatus(why, { ...command, now })
  return { kind: 'showStatus', command, status, version: null }
}
