import table from './fonts.json' with { type: 'json' }

/**
 * The fonts of the runner image: `fonts.json` is a copy of the table that is written when the image
 * is built. An installation may have more (EXTRA_FONTS).
 */
const characters: Readonly<Record<string, string>> = table.characters

/** fontconfig compares names without case and blanks. */
const files: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...table.aliases, ...table.families }).map(([name, file]) => [
    plain(name),
    file,
  ]),
)

/** Each in front of those that have fewer of the signs that texts mix. */
const firstFamilies = ['DejaVu Sans', 'Noto Sans', 'WenQuanYi Micro Hei', 'Noto Emoji', 'Waree']

const advisable: readonly (readonly [family: string, file: string])[] = Object.entries(
  table.families,
).toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))

/** Characters that drawtext would draw as boxes; the default font stands in for a missing or unknown name. */
export function missingCharacters(text: string, font: string | null): string[] {
  const file = files.get(plain(font ?? '')) ?? table.otherwise
  return [...new Set(text)].filter((character) => !hasCharacter(file, character))
}

/** A family that has all of them. */
export function imageFontWith(wanted: readonly string[]): string | null {
  const found = advisable.find(([, file]) => wanted.every((each) => hasCharacter(file, each)))
  return found?.[0] ?? null
}

function hasCharacter(file: string, character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return (
    invisible.test(character) || rangesOf(file).some(([from, to]) => from <= code && code <= to)
  )
}

/** Blanks, line ends, and what only changes the characters beside it: no font has to have them. */
const invisible = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u

type Range = readonly [from: number, to: number]
const read = new Map<string, readonly Range[]>()

function rangesOf(file: string): readonly Range[] {
  const known = read.get(file)
  if (known !== undefined) return known
  const ranges = (characters[file] ?? '').split(' ').map((range): Range => {
    const [from = '', to = from] = range.split('-')
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
  })
  read.set(file, ranges)
  return ranges
}

function plain(name: string): string {
  return name.replaceAll(' ', '').toLowerCase()
}

/** Without serifs before others. */
function rank(family: string): number {
  const place = firstFamilies.indexOf(family)
  if (place !== -1) return place
  return firstFamilies.length + (family.startsWith('Noto Sans ') ? 0 : 1)
}
