/** Entities of HTML for characters that a command is written with. */
const entity =
  /&(?:quot|apos|amp|lt|gt|nbsp|[lr][sd]quo|#0*(?:34|38|39|60|62)|#x0*(?:22|26|27|3[ce]))(?:;|$)/i

/** Entity where a shell has a quote or an operator; within a text it may be meant. */
const entityInPlace = new RegExp(`^(?:\\d|\\\\?\\{[^}]*\\}\\}?)?${entity.source}`, 'i')

/** `-i%20{{in_1}}`, `ffmpeg+-i`, `{{in_1}}%2520-c`, `%7B%7Bin_1%7D%7D`. */
const percentEncoded =
  /^(?:ffmpeg|-[a-z][\w:]*|\\?\{.*?\})(?:%(?:25)*20(?=\S)|\+(?=[-{%]))|%(?:25)*7B%(?:25)*7B(?:%(?:25)*20)*(?:in|out)_/i

/** The first entity of HTML in a text, such as `&quot;`. */
export function entityIn(text: string): string | null {
  return entity.exec(text)?.[0] ?? null
}

/** The sentence on a word of a command that was escaped for a web page or for a URL. */
export function escapedMistake(word: string): ((place: string) => string) | null {
  if (entityInPlace.test(word)) {
    return (place) => `${place} ${escapedForHtml(entityIn(word) ?? '')}`
  }
  if (!percentEncoded.test(word)) return null
  return (place) =>
    `${place} is percent-encoded, as text in a URL is; send the command unescaped, with plain blanks`
}

/** The rest of a sentence. */
export function escapedForHtml(found: string): string {
  return `is escaped for HTML, where '${found}' stands for a character; send the text unescaped`
}
