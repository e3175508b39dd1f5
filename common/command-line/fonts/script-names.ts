/** The script of a character as people name it; the character itself where it has none. */
export function scriptOf(character: string, text: string): string {
  const script = scripts.find(({ pattern }) => pattern.test(character))
  if (script === undefined) return `'${character}'`
  return script.name === 'Han' ? languageOf(text) : script.name
}

/** Chinese characters are shared by three languages, which the rest of the text tells apart. */
function languageOf(text: string): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'Japanese'
  return /\p{Script=Hangul}/u.test(text) ? 'Korean' : 'Chinese or Japanese'
}

const named: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['Korean', /\p{Script=Hangul}/u],
  // the last is the key of a keycap
  ['emoji', /[\p{Emoji_Presentation}\p{Extended_Pictographic}\u20e3]/u],
  ['digits', /[0-9]/],
  ['punctuation', /[!-/:-@[-`{-~]/],
]

const scripts = [
  ...named.map(([name, pattern]) => ({ name, pattern })),
  ...byNames(`
    Han Latin Greek Cyrillic Arabic Hebrew Devanagari Thai Bengali Gurmukhi Gujarati Oriya Tamil
    Telugu Kannada Malayalam Sinhala Lao Khmer Myanmar Tibetan Georgian Armenian Ethiopic Mongolian
    Syriac Thaana Cherokee Bopomofo Canadian_Aboriginal Tifinagh Javanese Balinese Sundanese Yi Nko
    Braille`),
]

const joined = byNames(`
  Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar
  Tibetan Javanese Balinese Sundanese`)

/** Whether letters take another place or form beside others: the filter `ass` alone does that. */
export function hasJoinedLetters(text: string): boolean {
  return joined.some(({ pattern }) => pattern.test(text))
}

function byNames(names: string): { name: string; pattern: RegExp }[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => ({
      name: name.replace('_', ' '),
      pattern: new RegExp(`\\p{Script=${name}}`, 'u'),
    }))
}
