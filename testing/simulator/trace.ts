import { createHash } from 'node:crypto'
import type { Clock } from '../../common/runtime/effects.ts'

/** Every step of a run that the outside could see, in order. */
export interface Trace {
  add(who: string, what: string): void
  /** Two runs of one seed have the same. */
  digest(): string
  last(count: number): string[]
  size(): number
}

export function createTrace(clock: Clock): Trace {
  const lines: string[] = []
  return {
    add(who, what) {
      lines.push(`${clock.monotonicMs().toFixed(3).padStart(11)} ${who.padEnd(14)} ${what}`)
    },
    digest: () => createHash('sha256').update(lines.join('\n')).digest('hex'),
    last: (count) => lines.slice(-count),
    size: () => lines.length,
  }
}
