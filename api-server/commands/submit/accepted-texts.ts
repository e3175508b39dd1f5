import { commandAdvice } from '../../../common/command-line/advice/command-advice.ts'
import { checkSource } from '../../../common/command-line/plan/source-mistakes.ts'
import type { CommandSource } from '../../../common/command-line/model/command-source.ts'
import type { ValidationMistake } from '../../../common/openapi/openapi-types.ts'

/** Advice and warnings about the names and text of a command. */
export interface SourceReview {
  readonly mistakes: readonly ValidationMistake[]
  /** Probable mistakes of a command that has no mistake. */
  readonly warnings: readonly string[]
}

/** Pure, and independent of the URLs of the inputs. */
export type ReviewSource = (source: CommandSource, chained: boolean) => SourceReview

export function reviewSource(source: CommandSource, chained: boolean): SourceReview {
  const checked = checkSource(source, chained)
  if (!checked.ok) return { mistakes: checked.mistakes, warnings: [] }
  const declaredInputs = Object.keys(source.inputFiles ?? {})
  const advice = commandAdvice(checked.plan, { chained, declaredInputs })
  return { mistakes: [], warnings: advice.map(({ message }) => message) }
}

/** Characters. Longer commands are rarely repeated. */
const longest = 4_096
/** Two megabytes of characters at most. */
const most = 512

/**
 * Clients send a few commands again and again, with other URLs each time: what had no mistake before has none now. To plan
 * a short command again takes a quarter of the processor time of its submission.
 */
export function rememberAccepted(review: ReviewSource): ReviewSource {
  const accepted = new Map<string, SourceReview>()
  return (source, chained) => {
    const key = keyOf(source, chained)
    const before = accepted.get(key)
    if (before !== undefined) return before
    const found = review(source, chained)
    if (found.mistakes.length === 0 && key.length <= longest) {
      if (accepted.size >= most) accepted.delete(accepted.keys().next().value ?? '')
      accepted.set(key, found)
    }
    return found
  }
}

/** All that `review` reads. */
function keyOf(source: CommandSource, chained: boolean): string {
  return JSON.stringify([
    source.commands,
    source.inputFiles === null ? null : Object.keys(source.inputFiles),
    source.outputFiles,
    source.inputCompressedFolder !== null,
    chained,
  ])
}
