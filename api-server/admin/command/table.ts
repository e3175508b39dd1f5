import { spanWords } from '../../../common/words/span-words.ts'
import { timestamp } from '../../http/format.ts'

/** A time to the second with the span from now: `2026-11-29T19:40:12Z (5 min ago)`; a dash for null. */
export function timeCell(time: Date | null, now: Date): string {
  if (time === null) return '-'
  const span = time.getTime() - now.getTime()
  const words = span > 0 ? `in ${spanWords(span)}` : `${spanWords(-span)} ago`
  return `${timestamp(time).replace(/\.\d+/, '')} (${words})`
}

/** Columns as wide as their widest cell. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows]
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
