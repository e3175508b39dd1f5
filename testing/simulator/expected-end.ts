import { countedApart } from '../../common/domain/failures.ts'
import { isFinal } from '../../common/domain/states.ts'
import type { CommandRow } from './memory-store/memory-rows.ts'
import { scenarioOf } from './world/settings.ts'
import type { Wish } from './world/oracle.ts'

/** Why a command may not have ended like this; null where it may. */
export function endProblem(row: CommandRow, wishes: ReadonlySet<Wish>): string | null {
  const { status, errorStatus, submission } = row
  const { inputFiles, storedFile } = submission.source
  const isFile = storedFile !== undefined
  const url = isFile && 'url' in storedFile ? storedFile.url : inputFiles?.['in_1']
  const scenario = scenarioOf(url ?? '')
  const problem = `a '${scenario.kind}' has ended as ${errorStatus ?? status}: ${row.errorMessage}`
  const losses = row.lossReasons.filter((reason) => !countedApart.includes(reason))
  switch (errorStatus) {
    case 'CANCELLED':
      return wishes.has('cancel') ? null : problem
    // Losses are counted where they are declared, and no living attempt may be.
    case 'RUNNER_LOST':
      return losses.length >= 2 ? null : problem
    case 'INTERNAL_ERROR':
      if (wishes.has('refuse')) return null
      return losses.length >= 2 && new Set(losses).size === 1 ? null : problem
    default:
      break
  }
  switch (scenario.kind) {
    case 'success':
    case 'large':
    case 'mute':
      return status === 'SUCCESS' ? null : problem
    case 'crash':
      return problem
    case 'hang':
      return errorStatus === 'COMMAND_TIMEOUT' ? null : problem
    case 'out-of-memory':
      return errorStatus === 'OUT_OF_MEMORY' ? null : problem
    case 'failure':
      return errorStatus === scenario.errorStatus ? null : problem
  }
}

/** Faults of a command for which nothing is left to do. */
export function unrestOf(row: CommandRow): string[] {
  const id = row.submission.commandId
  if (!isFinal(row.status))
    return [`I1: ${id} is ${row.status}, generation ${row.jobGeneration}, attempt ${row.attempt}`]
  if (row.releasedAt === null) return [`I6: ${id} has ended and holds its vCPUs`]
  const hadResource = row.dispatchedAt !== null
  if (hadResource && row.resourceDeletedAt === null)
    return [`${id} has ended and keeps its resource`]
  return []
}
