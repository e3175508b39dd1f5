import { loadavg } from 'node:os'
import type { Figure } from './figure.ts'

/** Processes that wanted a core in the last minute: with company, the seconds are theirs too. */
export function loadFigure(when: string): Figure {
  return { name: `load.${when}`, value: loadavg()[0] ?? Number.NaN, unit: 'load' }
}
