import { markIn } from '../../command/error-mark.ts'
import { draftFrom } from '../draft.ts'
import { linesOf } from '../../parts/message-lines.ts'
import { offsetsOf } from '../marks.ts'
import type { CommandStatusRecord } from '../../../common/openapi/openapi-types.ts'
import type { Problem } from './problems.ts'

/** Why a command failed, and its text then: a mark makes no sense in another text. */
export interface Failure {
  readonly index: number
  readonly text: string
  readonly message: string
}

/** @returns null for a command that has not failed, or whose request was deleted */
export function failureOf(record: CommandStatusRecord): Failure | null {
  const { status, original_request, steps, error_message } = record
  if (status !== 'FAILED' || original_request === null) return null
  const index = steps.find((step) => step.status === 'FAILED')?.index ?? 0
  const text = draftFrom(original_request).commands[index] ?? ''
  return { index, text, message: error_message ?? '' }
}

/** FFmpeg's error at its place, as long as the text is the one that failed. */
export function problemsOf(failure: Failure | null, index: number, text: string): Problem[] {
  if (failure === null || failure.index !== index || failure.text !== text) return []
  const mark = markIn(text, failure.message)
  return [
    {
      tone: 'bad',
      field: { kind: 'command', index },
      text: linesOf(failure.message)[0] ?? '',
      at: mark === null ? null : offsetsOf(text, mark),
      remedy: null,
    },
  ]
}
