import { jobName } from '../../common/domain/resource-names.ts'
import type { Action } from './actions.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { Snapshot, WholeSnapshot } from './snapshot.ts'
import { workStatusFor } from '../status/work-status.ts'
import type { Reason } from '../status/reason.ts'
import { rejectedStatus } from '../status/state.ts'

/** Shows the row's present state in the status of its resource. */
export function statusToShow(snapshot: WholeSnapshot): Action {
  const { command, row, generation, now, settings } = snapshot
  const status = workStatusFor(row, {
    generation: command.generation,
    shown: command.shown,
    now,
    clocks: generation.limits.clocks,
    jobName:
      row.jobGeneration === 0
        ? null
        : (row.warmRunnerJob ?? jobName(row.commandId, row.jobGeneration, command.kind)),
    waiting: generation.waiting,
    publicBaseUrl: settings.publicBaseUrl,
    byReference: command.byReference,
  })
  return { kind: 'showStatus', command, status, version: row.version }
}

/** Shows in the status of an object without a row why it gets none. */
export function rejectionToShow({ now }: Snapshot, command: CommandFacts, why: Reason): Action {
  const status = rejectedStatus(why, { ...command, now })
  return { kind: 'showStatus', command, status, version: null }
}
