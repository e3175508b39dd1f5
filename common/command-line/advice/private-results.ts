import { isPlaylistAlias } from '../model/output-name.ts'
import type { CommandWarning } from '../../domain/command-warnings.ts'
import type { Advice } from './advice.ts'

/** Fields of a request that decide whether its results can be opened. */
export interface PrivacyOfResults {
  readonly is_private: boolean
  readonly presigned_ttl_seconds?: number | null
  readonly webhook_url?: string | null
  readonly output_files: Readonly<Record<string, string>> | string
}

/** Advice on private results that will not open as their author expects. */
export function privateResultsAdvice(request: PrivacyOfResults): Advice[] {
  const { is_private: isPrivate, output_files: outputs } = request
  const seconds = request.presigned_ttl_seconds ?? null
  if (!isPrivate) {
    if (seconds === null || seconds === 0) return []
    return [general('is_private is false; presigned_ttl_seconds has no effect')]
  }
  const aliases = typeof outputs === 'string' ? [] : Object.keys(outputs)
  return [
    ...aliases.filter(isPlaylistAlias).map(privatePlaylistWarning),
    // 0 says that the receiver needs no URL that opens.
    ...((request.webhook_url ?? null) === null || seconds !== null ? [] : [closedInWebhook]),
  ]
}

/** Advice for the submission and for the record. A signature is of one object, and players request segments without one. */
export function privatePlaylistWarning(alias: string): CommandWarning {
  return {
    code: 'PRIVATE_PLAYLIST',
    message:
      `${alias} is a private playlist: a presigned URL opens the playlist alone, its segments answer 403; ` +
      'give players the text of GET /v1/files/{file_id}/playlist, where HLS has presigned segments, or store one file such as ' +
      'an MP4',
    alias,
  }
}

const closedInWebhook = general(
  "is_private: storage_url in the webhook's record answers 403; presigned_ttl_seconds makes it a presigned URL",
)

function general(message: string): Advice {
  return { code: null, message, alias: null }
}
