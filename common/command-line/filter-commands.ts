import { readKey, readToken, skipBlanks, textOf, unitsOf, type Unit } from './ffmpeg-quoting.ts'
import { filtersWithFiles } from './filter-files.ts'
import { isImageFont, pathProblem } from './path-policy.ts'

/**
 * Why commands to filters while FFmpeg runs (`0.5 drawtext reinit textfile=a.txt; 1 …`, of `sendcmd`)
 * are refused, as the rest of a sentence: they set the options that a graph sets, files included.
 */
export function filterCommandsProblem(text: string): string | null {
  const units = unitsOf(text)
  let offset = 0
  while (offset < units.length) {
    // time, flags, filter, command: the rest is the command's argument
    for (let words = 0; words < 4 && !isSeparator(units[offset]); words += 1) {
      const word = readToken(units, offset, ' \f\t\n\r,;')
      offset = blanksEnd(units, word.next)
      const name = textOf(word.units)
      if (name !== 'reinit' && !fileOptions.has(name)) continue
      const problem = argumentProblem(name, textOf(readToken(units, offset, ',;').units))
      if (problem !== null) return problem
    }
    offset = readToken(units, offset, ',;').next + 1
  }
  return null
}

function argumentProblem(name: string, argument: string): string | null {
  if (name !== 'reinit') return fileProblem(argument)
  const units = unitsOf(argument)
  for (let offset = 0; offset < units.length;) {
    const key = readKey(units, offset)
    const value = readToken(units, key?.next ?? offset, ':')
    offset = value.next + 1
    const problem = fileOptions.has(key?.name ?? '') ? fileProblem(textOf(value.units)) : null
    if (problem !== null) return problem
  }
  return null
}

function fileProblem(path: string): string | null {
  return isImageFont(path) ? null : pathProblem(path)
}

function isSeparator(unit: Unit | undefined): boolean {
  return unit === undefined || unit.character === ',' || unit.character === ';'
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
