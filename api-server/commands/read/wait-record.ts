import { waitWords } from '../../../common/domain/wait-words.ts'
import { timestamp, timestampOrNull } from '../../http/format.ts'
import type { CommandTimeline } from '../../../common/openapi/openapi-types.ts'

type Wait = CommandTimeline['waits'][number]

export function waitRecord(reason: Wait['reason'], from: Date, to: Date | null): Wait {
  const words = reason === null ? null : waitWords[reason]
  const message = words === null ? null : `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  return { reason, message, from: timestamp(from), to: timestampOrNull(to) }
}
