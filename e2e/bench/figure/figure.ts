import { cpus, loadavg } from 'node:os'

/** One line of a benchmark's table. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: 's' | 'ms' | 'MB' | 'count' | 'per second' | 'MB/s' | 's/GB'
  /** The same of the peer that ran beside it. */
  readonly peer?: number
  readonly bar?: Bar
}

/** Limit of a figure: in its unit, or with `ofPeer` in parts of the peer. */
export type Bar = ({ readonly atMost: number } | { readonly atLeast: number }) & {
  readonly ofPeer?: true
}

/** A table of the figures, each beside its peer and its bar, below the load of the machine. */
export function report(figures: readonly Figure[]): string {
  const rows = [
    ['figure', 'value', 'unit', 'peer', 'of peer', 'bar'],
    ...figures.map((figure) => [
      figure.name,
      number(figure.value),
      figure.unit,
      number(figure.peer),
      number(partOfPeer(figure)),
      verdict(figure),
    ]),
  ]
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
    .join('\n')
}

/** Processes that wanted a processor in the last minute: with company, the seconds are theirs too. */
export function machineLoad(): string {
  return `load ${number(loadavg()[0])} on ${cpus().length} processors`
}

function partOfPeer({ value, peer }: Figure): number | undefined {
  return peer === undefined ? undefined : value / peer
}

function verdict(figure: Figure): string {
  const { bar, value } = figure
  if (bar === undefined) return '-'
  const held = bar.ofPeer === true ? (partOfPeer(figure) ?? Number.NaN) : value
  const unit = bar.ofPeer === true ? 'of peer' : figure.unit
  const isMost = 'atMost' in bar
  const limit = isMost ? bar.atMost : bar.atLeast
  const isMet = isMost ? held <= limit : held >= limit
  const words = isMost ? 'at most' : 'at least'
  return `${words} ${Number(limit.toFixed(2))} ${unit}: ${isMet ? 'met' : 'missed'}`
}

function number(value: number | undefined): string {
  if (value === undefined) return '-'
  return value.toFixed(Math.abs(value) < 100 ? 2 : 0)
}
