import { drawnTexts, type DrawnText } from './drawn-texts.ts'
import { imageFontWith, missingCharacters } from './image-fonts.ts'
import { hasJoinedLetters, scriptOf } from './script-names.ts'
import type { StepPlan } from '../model/plan.ts'

/**
 * drawtext takes a whole text from one font, draws a box for each character that this font lacks,
 * and says nothing. Each sentence names what is missing and what to write.
 */
export function missingGlyphs(step: StepPlan, place: string): string[] {
  const said = new Set(drawnTexts(step).flatMap((drawn) => saidOf(drawn, place)))
  return [...said].slice(0, mostSaid)
}

/** A header carries them too, and who mends three knows how. */
const mostSaid = 3
const joining = '; drawtext leaves its letters apart, and the filter ass alone joins them'
const mostKinds = 4
const mostShown = 40
/** Characters; each is looked for in all fonts. */
const mostTried = 100

function saidOf({ text, font }: DrawnText, place: string): string[] {
  const missing = missingCharacters(text, font)
  if (missing.length === 0) return inOneColour(font ?? '', place)
  const kinds = byKind(missing, text)
  const needs = `text '${shortened(text)}' in drawtext${place} needs a font with ${listed([...kinds.keys()])}`
  // what is missing first: nearly all fonts lack it
  const family = imageFontWith([...missing, ...new Set(text)])
  const remedy = family === null ? apart(kinds) : `write font='${family}'`
  return [`${needs}; ${remedy}${hasJoinedLetters(text) ? joining : ''}`]
}

/** The font that other machines have is not in the image, for nothing in FFmpeg draws it. */
function inOneColour(font: string, place: string): string[] {
  if (!/colou?r *emoji|segoe *ui *emoji/i.test(font)) return []
  const family = imageFontWith(['🚀']) ?? ''
  return [
    `FFmpeg draws no emoji in colour: text in '${font}' in drawtext${place} is drawn in one; write font='${family}'`,
  ]
}

/** Sentence about a text that no font has all of. */
function apart(kinds: ReadonlyMap<string, string[]>): string {
  const tried = [...kinds.values()].flat().slice(0, mostTried)
  const absent = tried.filter((character) => imageFontWith([character]) === null)
  if (absent.length > 0) {
    const signs = absent.slice(0, mostKinds).join('')
    return `no font here has '${signs}': send one as an input and write its alias, as fontfile={{in_2}}`
  }
  const fonts = [...kinds].flatMap(([kind, characters]) => {
    const family = imageFontWith(characters)
    return family === null ? [] : [`font='${family}' for ${kind}`]
  })
  const drawn = fonts.length === 0 ? '' : `write a drawtext of its own with ${listed(fonts)}, or `
  return `no font here has all of it: ${drawn}burn the text in as subtitles, which take each character from a font that has it`
}

function byKind(missing: readonly string[], text: string): Map<string, string[]> {
  const kinds = Map.groupBy(missing, (character) => scriptOf(character, text))
  return new Map([...kinds].slice(0, mostKinds))
}

function listed(words: readonly string[]): string {
  const [last = ''] = words.slice(-1)
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  const shown = Array.from(line).slice(0, mostShown).join('')
  return shown === line ? line : `${shown}…`
}
