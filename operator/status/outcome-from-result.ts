import { privatePlaylistWarning } from '../../common/command-line/advice/private-results.ts'
import { isPlaylistAlias } from '../../common/command-line/model/output-name.ts'
import { isWarningCode } from '../../common/domain/command-warnings.ts'
import { isErrorStatus } from '../../common/domain/failures.ts'
import type { CommandWarning } from '../../common/domain/command-warnings.ts'
import type { Result, Success } from '../../common/gateway/messages.ts'
import { outputKey } from '../../common/domain/storage-keys.ts'
import type { Work } from '../../common/store/commands.ts'
import type { Outcome } from '../../common/store/attempts.ts'

/**
 * Converts a runner's result to the database's terms. The runner names paths; keys are made here,
 * from the authenticated attempt, so that no runner can name another one's object.
 */
export function outcomeFromResult(
  { outcome }: Pick<Result, 'outcome'>,
  command: Pick<Work, 'commandType' | 'commandId' | 'accountId' | 'isPrivate'>,
  attempt: string,
  newId: () => string,
): Outcome {
  if (outcome.status === 'FAILED') {
    const { errorStatus, errorMessage } = outcome
    return isErrorStatus(errorStatus)
      ? { status: 'FAILED', errorStatus, errorMessage }
      : { status: 'FAILED', errorStatus: 'INTERNAL_ERROR', errorMessage }
  }
  if (command.commandType === 'STORED_FILE' && outcome.files.length !== 1) {
    // The record of a stored file needs its object; without one there is nothing to record.
    return { status: 'FAILED', errorStatus: 'INTERNAL_ERROR', errorMessage: 'Internal error' }
  }
  return {
    status: 'SUCCESS',
    warnings: warningsOf(outcome, command.isPrivate),
    files: outcome.files.map(({ path, ...file }) => ({
      ...file,
      fileId: newId(),
      key: outputKey({
        visibility: command.isPrivate ? 'private' : 'public',
        accountId: command.accountId,
        commandId: command.commandId,
        attempt,
        path,
      }),
    })),
  }
}

/** The runner does not know whether its outputs are private. */
function warningsOf({ warnings = [], files }: Success, isPrivate: boolean): CommandWarning[] {
  const reported = warnings.flatMap(({ code, message, alias }) =>
    isWarningCode(code) ? [{ code, message, alias }] : [],
  )
  const playlists = isPrivate ? files.filter(({ alias }) => isPlaylistAlias(alias)) : []
  return [...reported, ...playlists.map(({ alias }) => privatePlaylistWarning(alias))]
}
