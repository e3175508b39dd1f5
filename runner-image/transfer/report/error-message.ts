import { placeInCommand } from '../../failure/place-in-command.ts'
import { withRemedies } from '../../failure/line-remedies.ts'
import { withEvenSize } from '../../failure/even-size-advice.ts'
import { causeLines } from '../../failure/error-lines.ts'
import { printable, scrubbed } from '../../failure/readable-line.ts'

const longest = 4000

/**
 * The text of `error_message`: our sentence, then the lines of FFmpeg that give the cause, with the
 * user's own names.
 * @param log FFmpeg's errors, lines joined by `\n`; empty = none
 * @param inputPaths path by alias, relative to the working folder
 * @param command as sent: the parts that FFmpeg names are looked up in it; empty = unknown
 * @returns at most 4,000 characters of one line, without control characters or internal paths
 */
export function errorMessage(
  sentence: string,
  log: string,
  inputPaths: Readonly<Record<string, string>>,
  command = '',
): string {
  const head = printable(sentence).slice(0, longest)
  const all = log
    .split('\n')
    .map((line) => scrubbed(line, inputPaths))
    .filter((line) => line !== '')
  const lines = withRemedies(withPlace(withEvenSize(causeLines(all), command), command), command)
  while (lines.length > 1 && joined(head, lines).length > longest) lines.shift()
  return joined(head, lines).slice(0, longest)
}

/** The first line that names a part of the command is followed by its place. */
function withPlace(lines: readonly string[], command: string): string[] {
  const places = lines.map((line) => placeInCommand(line, command))
  const first = places.findIndex((place) => place !== null)
  return lines.map((line, index) =>
    index === first ? `${line.replace(/\.$/, '')} (at character ${String(places[index])})` : line,
  )
}

/** Newlines are control characters too, so lines are set apart by a bar. */
function joined(head: string, lines: readonly string[]): string {
  return lines.length === 0 ? head : `${head}: ${lines.join(' | ')}`
}
