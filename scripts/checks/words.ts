/** Words that docs/style.md excludes, whole and in any case. */
const excluded =
  /\b(?:whoever|whatever|nobody|somebody|neighbou?rs?|strangers?|told|asks|believe[sd]?|pokes?|nudges?|bearable|(?<!there +)(?:is|are) +no|knows +no|none +that|those +who|for +so +long|for +ever|all +the +same|the +begin)\b|\broads?\b/gi

/** A comment or description that begins with one of these words says what something is of, not what it is. */
const openings =
  /(?:\/\/|\/\*\*?[\s*]*|#|--|\bdescription"?: ?["']?) *(?:Of|Also|So|Where|Behind|None)\b/g

/** A document quotes the words that it excludes. */
const quoting = [
  'docs/style.md',
  'scripts/checks/words.ts',
  'scripts/checks/words.test.ts',
  'scripts/checks/comments.test.ts',
]

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
    const found = findWords({ file, text }).length
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

/** `file:line: words` of each occurrence, so that it can be found and written in plain English. */
export function findWords({ file, text }: Text): string[] {
  if (quoting.includes(file)) return []
  const begun = file.endsWith('.md') ? [] : [...text.matchAll(openings)]
  return [...begun, ...joined(text).matchAll(excluded)].map(({ 0: words, index }) => {
    const line = text.slice(0, index).split('\n').length
    return `${file}:${line}: ${words.replaceAll(/\s+/g, ' ')}`
  })
}

/**
 * Line breaks become blanks, as many as they had characters: a phrase counts, too, if a comment or a paragraph
 * breaks within it.
 */
function joined(text: string): string {
  return text.replaceAll(/\s*\n\s*(?:\/\/|\*(?!\/)|--|#)?\s*/g, (found) => ' '.repeat(found.length))
}

/** Documents and the chart stand for themselves: none of these words is allowed there. */
export function folderOf(file: string): string {
  if (file.endsWith('.md')) return 'documents'
  return file.split('/')[0] ?? ''
}
