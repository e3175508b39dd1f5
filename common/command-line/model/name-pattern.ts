import { editDistance } from '../../domain/edit-distance.ts'

/** A number that FFmpeg counts on: `%d`, `%03d`. */
const counter = /%(0?)(\d{0,2})d/
const wildcard = /[*?]/
/** Same as for the name of an output; matching a longer one would take long. */
const longestName = 200

/** A name that stands for many files, as `f_%03d.png`. */
export function isPattern(name: string): boolean {
  return name.length <= longestName && counter.test(name)
}

/**
 * Whether a name reads what a pattern has written: the pattern itself, one of its files, as
 * `f_001.png`, or a glob that they fit, as `f_*.png`.
 */
export function readsPattern(name: string, pattern: string): boolean {
  const [read, written] = [plain(name), plain(pattern)]
  if (read === written) return true
  return read.length <= longestName && (isFileOf(read, written) || fits(sampleOf(written), read))
}

/** The most similar of the patterns first. */
export function bySimilarity(name: string, patterns: readonly string[]): string[] {
  const start = name.slice(0, longestName)
  return patterns.toSorted((a, b) => editDistance(start, a) - editDistance(start, b))
}

function plain(name: string): string {
  return name.replace(/^(?:\.\/)+/, '')
}

function isFileOf(name: string, pattern: string): boolean {
  const [found = '', zero = '', width = ''] = counter.exec(pattern) ?? []
  const at = pattern.indexOf(found)
  const [before, behind] = [pattern.slice(0, at), pattern.slice(at + found.length)]
  if (!name.startsWith(before) || !name.endsWith(behind)) return false
  const number = name.slice(before.length, name.length - behind.length)
  return /^\d+$/.test(number) && (zero === '' || number.length >= Number(width))
}

function sampleOf(pattern: string): string {
  return pattern.replace(counter, (_, __, width: string) => '1'.padStart(Number(width), '0'))
}

/** Goes back to the last `*` alone, so that no text takes long. */
function fits(name: string, glob: string): boolean {
  if (!wildcard.test(glob)) return false
  let [at, within, star, mark] = [0, 0, -1, 0]
  while (at < name.length) {
    if (glob[within] === '*') {
      star = within++
      mark = at
    } else if (glob[within] === '?' || glob[within] === name[at]) {
      at++
      within++
    } else if (star === -1) return false
    else {
      within = star + 1
      at = ++mark
    }
  }
  return /^\**$/.test(glob.slice(within))
}
