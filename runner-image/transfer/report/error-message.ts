import { placeInCommand } from '../../failure/place-in-command.ts'
import { withEvenSize } from '../../failure/even-size-advice.ts'
import { causeLines } from '../../failure/error-lines.ts'

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
  const lines = withPlace(withEvenSize(causeLines(all), command), command)
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

/** A line of FFmpeg's log as a user may read it, but without the blanks around it. */
export function scrubbed(line: string, inputPaths: Readonly<Record<string, string>>): string {
  return scrubbedLine(line, inputPaths).replaceAll('\t', ' ').trim()
}

/** A line of FFmpeg's log as a user may read it. Summaries and lists of streams are indented. */
export function scrubbedLine(line: string, inputPaths: Readonly<Record<string, string>>): string {
  let text = withoutControls(line)
  for (const [alias, path] of byLengthDown(inputPaths)) {
    text = text
      .replaceAll(path.replace('../in/', '/job/in/'), `{{${alias}}}`)
      .replaceAll(path, `{{${alias}}}`)
  }
  return text
    .replace(/\/job\/(?:work|in|tmp)\//g, '')
    .replace(/ @ 0x[0-9a-f]+/gi, '')
    .trimEnd()
}

/** Without extension, `../in/in_1` is the start of `../in/in_10.mp4`. */
function byLengthDown(inputPaths: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(inputPaths).toSorted(([, a], [, b]) => b.length - a.length)
}

function printable(text: string): string {
  return withoutControls(text).replaceAll('\t', ' ')
}

/**
 * FFmpeg's log contains metadata of hostile files, and our sentences contain names of their
 * archives, unescaped: escape sequences could rewrite a terminal. Tabs stay.
 */
function withoutControls(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- control characters are what is removed
      .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
      // oxlint-disable-next-line no-control-regex -- control characters are what is removed
      .replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
      // They change the direction of all the text after them: `gpj.exe` would read as `exe.jpg`.
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
  )
}
