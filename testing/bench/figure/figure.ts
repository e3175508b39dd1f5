import { loadavg } from 'node:os'

/** One line of a benchmark's report. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit:
    | 's'
    | 'ms'
    | 'MB'
    | 'bytes'
    | 'count'
    | 'requests'
    | 'per-second'
    | 'ratio'
    | 'load'
    | 'MB-per-second'
    | 's-per-GB'
  /** Value / the same of the peer that ran beside it. */
  readonly ratio?: number
  /** What the value should stay below, in its unit. */
  readonly limit?: number
}

/** `name value unit ratio-to-peer limit`, aligned; `-` where there is no peer or no limit. */
export function report(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, ratio, limit }) => [
    name,
    number(value),
    unit,
    number(ratio),
    number(limit),
  ])
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' '))
    .join('\n')
}

function number(value: number | undefined): string {
  if (value === undefined) return '-'
  return value.toFixed(Math.abs(value) < 100 ? 2 : 0)
}

/** Processes that wanted a core in the last minute: with company, the seconds are theirs too. */
export function loadFigure(when: string): Figure {
  return { name: `load.${when}`, value: loadavg()[0] ?? Number.NaN, unit: 'load' }
}
