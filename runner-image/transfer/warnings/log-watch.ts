import type { CommandWarning } from '../../../common/domain/command-warnings.ts'
import type { StepPlan } from '../../../common/command-line/model/plan.ts'

/** Reads the log of one FFmpeg command for what its exit code does not say. */
export interface LogWatch {
  /** @param line without the mark of its level */
  read(line: string): void
  warnings(): CommandWarning[]
}

/** Not every line arrives: a log that FFmpeg writes too fast has gaps. */
export function watchLog({ groups }: Pick<StepPlan, 'groups'>): LogWatch {
  const inputs = groups.flatMap(({ kind, alias }) => (kind === 'input' ? [alias] : []))
  const glyphs = new Set<number>()
  const damages = new Map<string | null, number>()
  const plain = new Map<string, CommandWarning>()
  return {
    read(line) {
      const glyph = missingGlyph.exec(line)?.[1]
      if (glyph !== undefined) {
        if (glyphs.size < mostGlyphs) glyphs.add(Number.parseInt(glyph, 16))
      } else if (damage.test(line)) {
        const alias = inputOf(line, inputs)
        damages.set(alias, (damages.get(alias) ?? 0) + 1)
      } else {
        for (const [pattern, warning] of fixed) {
          if (pattern.test(line)) plain.set(warning.code, warning)
        }
      }
    },
    warnings: () => [
      ...(glyphs.size === 0 ? [] : [boxes([...glyphs])]),
      ...[...damages]
        // a line without a name most likely repeats one with it
        .filter(([alias]) => alias !== null || damages.size === 1)
        .map(([alias, lines]) => damaged(alias, lines)),
      ...plain.values(),
    ],
  }
}

/** A subtitle file in a script without a font repeats this line for each of its characters. */
const missingGlyph = /failed to find any fallback with glyph 0x([0-9a-f]{1,6})\b/i
const mostGlyphs = 1_000
const namedGlyphs = 5

const damage = new RegExp(
  [
    'error while decoding MB',
    'corrupt decoded frame',
    'corrupt input packet',
    'Packet corrupt',
    'concealing \\d+ DC',
    'Invalid NAL unit size',
    'Error submitting packet to decoder: Invalid data',
    'Decoding error: Invalid data',
    'Error during demuxing: Invalid data',
    'offset 0x[0-9a-f]+: partial file',
  ].join('|'),
  'i',
)

const fixed: readonly (readonly [RegExp, CommandWarning])[] = [
  [
    /^Trailing option\(s\) found/,
    {
      code: 'TRAILING_OPTIONS',
      message:
        'Options behind the last output were ignored; write options in front of the output that they are for',
      alias: null,
    },
  ],
  [
    /Stray % near/,
    {
      code: 'STRAY_PERCENT',
      message:
        "A text of drawtext was not drawn, since a '%' in it begins nothing; add expansion=none to drawtext",
      alias: null,
    },
  ],
]

function boxes(codes: readonly number[]): CommandWarning {
  const named = codes
    .slice(0, namedGlyphs)
    .map((code) => `${printable(code)} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`)
  const more = codes.length - named.length
  return {
    code: 'MISSING_GLYPHS',
    message: `No font here has ${named.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}: they are boxes in the picture. Send a font that has them as an input, and name it with fontsdir or fontfile`,
    alias: null,
  }
}

function printable(code: number): string {
  return code <= lastCodePoint ? `'${String.fromCodePoint(code)}'` : '?'
}

const lastCodePoint = 0x10ffff

function damaged(alias: string | null, lines: number): CommandWarning {
  const message = `${alias ?? 'An input'} is damaged: FFmpeg reported broken data ${lines === 1 ? 'once' : `${String(lines)} times`}, which the output may show`
  return { code: 'DAMAGED_INPUT', message, alias }
}

/** `[vist#1:0/h264 @ 0x…]` and `[in#1/mpegts @ 0x…]` name the input, `[h264 @ 0x…]` does not. */
function inputOf(line: string, inputs: readonly (string | null)[]): string | null {
  const named = /^\[(?:in|[vasd]ist)#(\d+)[:/ ]/.exec(line)?.[1]
  if (named !== undefined) return inputs[Number(named)] ?? null
  return inputs.length === 1 ? (inputs[0] ?? null) : null
}
