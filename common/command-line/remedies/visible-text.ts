/**
 * Characters without ink that text brings along from web pages, word processors and chats: blanks
 * other than the plain one, soft hyphens, marks of direction, line and paragraph separators.
 */
const inkless =
  '\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufeff\\uffa0'

const anyInkless = new RegExp(`[${inkless}]`, 'g')
const inklessStart = new RegExp(`^[${inkless}]`)
/** Name of an option, text glued to it, or a placeholder of any spelling. */
const inklessOption = new RegExp(`^(?:-|\\\\?\\{)[^'"]*[${inkless}]`)

/** The text as a message shows it: `<U+200B>-c` for an option behind a space of no width. */
export function visibleText(text: string): string {
  return text.replace(anyInkless, (character) => `<${codePointOf(character)}>`)
}

/** `U+200B`, the first character of the text that cannot be seen; null if all can. */
export function inklessIn(text: string): string | null {
  const [character] = text.match(anyInkless) ?? []
  return character === undefined ? null : codePointOf(character)
}

/** The same for a word that begins with such a character, or is an option that holds one. */
export function inklessMistakeIn(word: string): string | null {
  return inklessStart.test(word) || inklessOption.test(word) ? inklessIn(word) : null
}

function codePointOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
