import {
  rangeOf,
  readToken,
  skipBlanks,
  textOf,
  type TextRange,
  type Unit,
} from '../grammar/ffmpeg-quoting.ts'
import { filtersWithFiles } from './filter-files.ts'
import { isImageFont, pathProblem } from '../grammar/path-policy.ts'

/** Why something is refused, as the rest of a sentence, and where it stands. */
export type PlacedProblem = { problem: string; range: TextRange }

/**
 * Why commands to filters while FFmpeg runs (`0.5 drawtext reinit textfile=a.txt; 1 …`, of
 * `sendcmd`) are refused: they set the options that a graph sets, files included. Read in the order
 * of FFmpeg's f_sendcmd.c, because the start of each token depends on all text before it.
 */
export function filterCommandsProblem(units: readonly Unit[]): PlacedProblem | null {
  for (let offset = commentsEnd(units, 0); offset < units.length;) {
    const time = readToken(units, offset, delimiters)
    const { problem, next } = readCommands(units, time.next)
    if (problem !== null) return problem
    offset = commentsEnd(units, next + 1)
  }
  return null
}

const delimiters = ' \f\t\n\r,;'

/** Commands of one interval, separated by commas; `next` is where the `;` behind them stands. */
function readCommands(
  units: readonly Unit[],
  start: number,
): { problem: PlacedProblem | null; next: number } {
  let offset = start
  for (;;) {
    const flags = flagsEnd(units, blanksEnd(units, offset))
    const target = readToken(units, flags, delimiters)
    const command = readToken(units, blanksEnd(units, target.next), delimiters)
    const argument = readToken(units, blanksEnd(units, command.next), ',;')
    const problem = commandProblem(textOf(command.units), argument.units)
    if (problem !== null || units[argument.next]?.character !== ',') {
      return { problem, next: argument.next }
    }
    offset = argument.next + 1
  }
}

/** Up to the first bracket that closes: neither quotes nor backslashes mean anything there. */
function flagsEnd(units: readonly Unit[], start: number): number {
  if (units[start]?.character !== '[') return start
  let offset = start
  while (offset < units.length && units[offset]?.character !== ']') offset += 1
  return blanksEnd(units, offset + 1)
}

function commandProblem(name: string, argument: readonly Unit[]): PlacedProblem | null {
  return name === 'reinit' || fileOptions.has(name) ? argumentProblem(name, argument) : null
}

function argumentProblem(name: string, units: readonly Unit[]): PlacedProblem | null {
  if (name !== 'reinit') return fileProblem(units)
  for (let offset = 0; offset < units.length;) {
    const key = readToken(units, offset, '=')
    const value = readToken(units, key.next + 1, ':')
    offset = value.next + 1
    const problem = fileOptions.has(textOf(key.units)) ? fileProblem(value.units) : null
    if (problem !== null) return problem
  }
  return null
}

function fileProblem(units: readonly Unit[]): PlacedProblem | null {
  const path = textOf(units)
  const problem = isImageFont(path) ? null : pathProblem(path)
  return problem === null ? null : { problem, range: rangeOf(units) }
}

/** A `#` in front of an interval begins a comment, in which a quote opens nothing. */
function commentsEnd(units: readonly Unit[], start: number): number {
  let offset = blanksEnd(units, start)
  while (units[offset]?.character === '#') {
    while (offset < units.length && units[offset]?.character !== '\n') offset += 1
    offset = blanksEnd(units, offset)
  }
  return offset
}

function blanksEnd(units: readonly Unit[], start: number): number {
  let offset = skipBlanks(units, start)
  while (units[offset]?.character === '\f') offset = skipBlanks(units, offset + 1)
  return offset
}

/** With their aliases, of every filter: a command goes to instances, whose names are anybody's. */
const fileOptions: ReadonlySet<string> = new Set(
  [...filtersWithFiles().values()].flatMap(({ positions, files }) => [
    ...files.keys(),
    ...positions.flatMap((names) => (names.some((name) => files.has(name)) ? names : [])),
  ]),
)
