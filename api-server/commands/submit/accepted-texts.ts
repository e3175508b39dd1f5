import type { CommandSource } from '../../../common/store/commands.ts'
import type { ValidationMistake } from '../../../common/openapi/openapi-types.ts'

/** Mistakes in names and text of a command. Pure, and independent of the URLs of its inputs. */
export type FindMistakes = (source: CommandSource, chained: boolean) => ValidationMistake[]

/** In characters. Longer commands are rarely repeated. */
const longest = 4_096
/** Two megabytes of characters at most. */
const most = 512

/**
 * Clients send a few commands again and again, with other URLs each time: what had no mistake before has none now. To plan
 * a short command again takes a quarter of the processor time of its submission.
 */
export function rememberAccepted(find: FindMistakes): FindMistakes {
  const accepted = new Set<string>()
  return (source, chained) => {
    const key = keyOf(source, chained)
    if (accepted.has(key)) return []
    const mistakes = find(source, chained)
    if (mistakes.length === 0 && key.length <= longest) {
      if (accepted.size >= most) accepted.delete(accepted.keys().next().value ?? '')
      accepted.add(key)
    }
    return mistakes
  }
}

/** All that `find` reads. */
function keyOf(source: CommandSource, chained: boolean): string {
  return JSON.stringify([
    source.commands,
    source.inputFiles === null ? null : Object.keys(source.inputFiles),
    source.outputFiles,
    source.inputCompressedFolder !== null,
    chained,
  ])
}
