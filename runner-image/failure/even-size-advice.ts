import { evenSize } from '../../common/command-line/grammar/even-size.ts'
import type { WrittenSize } from '../../common/command-line/grammar/even-size.ts'

/**
 * Adds the remedy to an encoder's first error about an odd side.
 * @param lines of FFmpeg's log
 * @param command as sent; empty = unknown
 */
export function withEvenSize(lines: readonly string[], command: string): string[] {
  const complaint = lines.findIndex((line) => complaints.some((pattern) => pattern.test(line)))
  return lines.map((line, index) => {
    if (index !== complaint) return line
    const [, width, height] = complaints[0].exec(line) ?? []
    const made =
      width === undefined || height === undefined
        ? null
        : { width: Number(width), height: Number(height) }
    return `${line}; ${advice(command, made)}`
  })
}

/** Messages of libx264 (through FFmpeg), libx265 and SVT-AV1. */
const complaints = [
  /(?:width|height) not divisible by 2 \((\d+)x(\d+)\)$/,
  /Picture (?:width|height) must be an integer multiple of the specified chroma subsampling$/,
  /Source (?:Width|Height) must be even for YUV_420 colorspace$/,
] as const

/** @param made the size that the encoder got, if its message has it */
function advice(command: string, made: WrittenSize | null): string {
  const corrections = [
    ...new Set(
      [...command.matchAll(sizes)].flatMap((match) => {
        const [, name = '', first = '', between = '', second = ''] = match
        const size = { width: Number(first), height: Number(second) }
        const even = evenSize(size)
        const isMeant =
          made === null || (fits(size.width, made.width) && fits(size.height, made.height))
        const text = `${name}${String(even.width)}${between}${String(even.height)}`
        return isMeant && text !== match[0] ? [text] : []
      }),
    ),
  ]
  const [only] = corrections
  if (only !== undefined && corrections.length === 1)
    return `both sides must be even: write ${only}`
  return `both sides must be even: end the filters with ${made === null ? 'scale=trunc(iw/2)*2:-2' : scaleTo(made)}`
}

/** `scale=321:-1`, `crop=w=321:h=240`, `-s 321x240`. */
const sizes =
  /((?:\b(?:scale|crop|pad)=(?:w(?:idth)?=)?|-s(?::v)? +["']?))(-?\d+)([:x](?:h(?:eight)?=)?)(-?\d+)(?![\d.*/+])/g

function fits(written: number, made: number): boolean {
  return written <= 0 || written === made
}

/** Keeps the side that is even already. */
function scaleTo({ width, height }: WrittenSize): string {
  const even = evenSize({ width, height })
  return width % 2 === 1 && height % 2 === 0
    ? `scale=-2:${String(height)}`
    : `scale=${String(even.width)}:-2`
}
