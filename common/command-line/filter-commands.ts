import {
  rangeOf,
  readToken,
  skipBlanks,
  textOf,
  type TextRange,
  type Unit,
} from './ffmpeg-quoting.ts'
import { filtersWithFiles } from './filter-files.ts'
import { isImageFont, pathProblem } from './path-policy.ts'

/** Why something is refused, as the rest of a sentence, and where it stands. */
export type PlacedProblem = { problem: string; range: TextRange }

/**
 * Why commands to filters while FFmpeg runs (`0.5 drawtext reinit textfile=a.txt; 1 …`, of `sendcmd`)
 * are refused: they set the options that a graph sets, files included.
 */
export function filterCommandsProblem(units: readonly Unit[]): PlacedProblem | null {
  for (let offset = commentsEnd(units, 0); offset < units.length;) {
    const problem = intervalProblem(units, offset)
    if (problem !== null) return problem
    offset = commentsEnd(units, readToken(units, offset, ';').next + 1)
  }
  return null
}

/** Commands of one interval, separated by commas. */
function intervalProblem(units: readonly Unit[], start: number): PlacedProblem | null {
  for (let offset = start; !isEnd(units[offset]);) {
    const problem = commandProblem(units, offset)
    if (problem !== null) return problem
    const end = readToken(units, offset, ',;').next
    offset = isEnd(units[end]) ? end : end + 1
  }
  return null
}

/** Time with the first one, flags in brackets, filter, command: the rest is the command's argument. */
function commandProblem(units: readonly Unit[], start: number): PlacedProblem | null {
  let offset = start
  for (let words = 0; words < mostWords && !isEnd(units[offset]); words += 1) {
    if (units[offset]?.character === ',') return null
    if (units[offset]?.character === '[') {
      offset = blanksEnd(units, readToken(units, offset, ']').next + 1)
    }
    const word = readToken(units, offset, ' \f\t\n\r,;')
    offset = blanksEnd(units, word.next)
    const name = textOf(word.units)
    if (name !== 'reinit' && !fileOptions.has(name)) continue
    const problem = argumentProblem(name, readToken(units, offset, ',;').units)
    if (problem !== null) return problem
  }
  return null
}

const mostWords = 4

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

function isEnd(unit: Unit | undefined): boolean {
  return unit === undefined || unit.character === ';'
}

/** In front of an interval a `#` begins a comment, in which a quote opens nothing. */
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
  filtersWithFiles()
    .values()
    .flatMap(({ positions, files }) => [
      ...files.keys(),
      ...positions.flatMap((names) => (names.some((name) => files.has(name)) ? names : [])),
    ]),
)
