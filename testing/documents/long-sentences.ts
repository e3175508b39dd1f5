/**
 * Sentences of a Markdown document that have more words than `most`. Blocks, tables, headings and
 * comments have none; each item of a list begins a sentence.
 */
export function longSentences(markdown: string, most: number): string[] {
  const prose = markdown
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/^(?:\||#|<).*$/gm, '')
    // The target of a link is not read.
    .replaceAll(/\]\([^)]*\)/g, ']')
  const paragraphs = prose.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
  const sentences = paragraphs.flatMap((one) => one.trim().split(/(?<=[.:;!?][*_)]*)\s+/))
  return sentences.filter((sentence) => wordsIn(sentence) > most)
}

function wordsIn(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /\w/.test(word)).length
}
