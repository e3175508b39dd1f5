import { createHash } from 'node:crypto'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { Logger } from '../../../common/runtime/logger.ts'

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

/** Log lines as steps of the trace: cheap, and without what only people need. */
export function traceLogger(context: string, write: (what: string) => void): Logger {
  const line = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const { error, command_id, reason } = fields
    const cause = error instanceof Error ? error.message : ''
    const parts = [context, message, command_id, reason, cause]
    write(parts.filter((part) => typeof part === 'string' && part !== '').join(' '))
  }
  return {
    debug: () => undefined,
    info: line,
    warn: line,
    error: line,
    child: (fields) => traceLogger([context, ...Object.values(fields)].join(' ').trim(), write),
  }
}
