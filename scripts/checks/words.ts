/** Words that docs/style.md excludes, whole and in any case. */
const excluded =
  /\b(?:whoever|whatever|nobody|somebody|neighbou?rs?|strangers?|told|asks|believe[sd]?|pokes?|nudges?|bearable|(?<!there )(?:is|are) no|knows no|none that|those who|for so long|for ever|all the same)\b|\broads?\b/gi

/** A document quotes the words that it excludes. */
const quoting = ['docs/style.md', 'scripts/checks/words.ts', 'scripts/checks/words.test.ts']

export interface WordCounts {
  /** Most occurrences that a top folder may have; absent: none. */
  readonly [folder: string]: number
}

export interface Text {
  /** Path from the root of the repository. */
  readonly file: string
  readonly text: string
}

/** Occurrences by top folder, largest first. */
export function countWords(texts: readonly Text[]): WordCounts {
  const counts: Record<string, number> = {}
  for (const { file, text } of texts) {
    const found = quoting.includes(file) ? 0 : [...text.matchAll(excluded)].length
    const folder = folderOf(file)
    if (found > 0) counts[folder] = (counts[folder] ?? 0) + found
  }
  return Object.fromEntries(Object.entries(counts).toSorted(([, one], [, other]) => other - one))
}

/** Folders with more occurrences than recorded, and records that are too high: the count only falls. */
export function wordMistakes(counts: WordCounts, recorded: WordCounts): string[] {
  const folders = [...new Set([...Object.keys(counts), ...Object.keys(recorded)])]
  return folders.flatMap((folder) => {
    const found = counts[folder] ?? 0
    const most = recorded[folder] ?? 0
    if (found > most) {
      return [
        `${folder} has ${found} words that docs/style.md excludes, at most ${most} are allowed: write them in plain English`,
      ]
    }
    return found < most
      ? [
          `${folder} has ${found} excluded words now: write ${found} in place of ${most} into scripts/checks/word-counts.json`,
        ]
      : []
  })
}

/** Documents and the chart stand for themselves: none of these words is allowed there. */
function folderOf(file: string): string {
  if (file.endsWith('.md')) return 'documents'
  return file.split('/')[0] ?? ''
}
