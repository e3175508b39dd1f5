/**
 * Meaning of a backslash and the character behind it within `$'…'` of bash; characters that no
 * argument may hold are left out.
 */
const single: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
  n: '\n',
  r: '\r',
  t: '\t',
}

const byNumber = /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3}))/y

/**
 * Reads the escape at `offset`, where a backslash stands
 * (https://www.gnu.org/software/bash/manual/html_node/ANSI_002dC-Quoting.html).
 * @returns null if it is not an escape, or stands for a control character or for half a character
 */
export function ansiEscape(source: string, offset: number): { text: string; end: number } | null {
  const text = single[source.charAt(offset + 1)]
  if (text !== undefined) return { text, end: offset + 2 }
  byNumber.lastIndex = offset
  const [match, hex, short, long, octal] = byNumber.exec(source) ?? []
  if (match === undefined) return null
  const code = octal === undefined ? Number(`0x${hex ?? short ?? long}`) : Number(`0o${octal}`)
  // Bash reads these two as a byte, and one above ASCII is only a part of a character.
  const isByte = hex !== undefined || octal !== undefined
  if (isByte && code > 0x7e) return null
  if (code > 0x10_ff_ff) return null
  const character = String.fromCodePoint(code)
  return /[^\p{Cc}\p{Cs}]|[\t\n\r]/u.test(character)
    ? { text: character, end: offset + match.length }
    : null
}
