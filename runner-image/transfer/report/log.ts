import { redact } from '../../../common/runtime/redact.ts'
import type { Clock } from '../../../common/runtime/effects.ts'

export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: object) => void

/**
 * One JSON line per event, with the process's own age: when it began follows from any of them. The
 * servers' logging library takes longer to load than an input to fetch.
 */
export function createLog(clock: Clock, write: (line: string) => void): Log {
  return (level, message, fields = {}) => {
    const now = { timestamp: clock.wall(), uptimeMs: Math.round(clock.monotonicMs()) }
    const line = { level, component: 'transfer', ...now, message, ...fields }
    write(`${redact(JSON.stringify(line, printable))}\n`)
  }
}

function printable(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
}
