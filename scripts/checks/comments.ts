import type { Text } from './words.ts'

/** A comment that begins with one of these words leaves its subject out: "Of each status." */
const beginnings = 'Of|What|Where|So|Its|It|As|By|In|For|From'

/** Beginnings that do not: a unit, a standard, an example, a default. */
const allowed = 'In (?:bytes|seconds|ms)|As RFC \\d+|For example|By default'

/** The first line of a comment: a `//` below another one goes on with it, and one in a URL or a string is not a comment. */
const comment = new RegExp(
  `(?:/\\*\\*?[\\s*]*|(?<!^[ \\t]*//.*\\n[ \\t]*|[:\\w"'\`/])//[ \\t]*)(?!(?:${allowed})\\b)(?:${beginnings})\\b`,
  'gm',
)

const program = /\.(?:ts|tsx|mjs|css)$/

/** Tests with such comments in their texts. */
const quoting = ['scripts/checks/words.test.ts', 'scripts/checks/comments.test.ts']

/**
 * @param unfinished folders and files that may have such comments
 * @returns places of the other ones, and entries of `unfinished` that have none any more
 */
export function commentMistakes(texts: readonly Text[], unfinished: readonly string[]): string[] {
  const places = texts.flatMap(fragmentsIn)
  const left = (entry: string) => places.some(({ file }) => isIn(file, entry))
  return [
    ...places
      .filter(({ file }) => !unfinished.some((entry) => isIn(file, entry)))
      .map(({ file, line, words }) => `${file}:${line}: "${words}" leaves out the subject`),
    ...unfinished
      .filter((entry) => !left(entry))
      .map((entry) => `${entry} has no such comment: remove it from unfinished-comments.json`),
  ]
}

function isIn(file: string, entry: string): boolean {
  return file === entry || file.startsWith(`${entry}/`)
}

function fragmentsIn({ file, text }: Text) {
  if (!program.test(file) || quoting.includes(file)) return []
  return [...text.matchAll(comment)].map(({ 0: found, index }) => ({
    file,
    line: text.slice(0, index).split('\n').length,
    words: found.replaceAll(/[\s/*]+/g, ''),
  }))
}
