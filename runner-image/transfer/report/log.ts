import { redact } from '../../../common/runtime/redact.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { LogFields, SnakeCase } from '../../../common/runtime/logger.ts'

export type Log = <F extends LogFields>(
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: F & SnakeCase<F>,
) => void

/**
 * One JSON line per event, with the process's own age: when it began follows from any of them. The
 * servers' logging library takes longer to load than an input to fetch.
 * @param all on every line
 */
export function createLog(clock: Clock, write: (line: string) => void, all: LogFields): Log {
  return (level, message, fields) => {
    const now = { timestamp: clock.wall(), uptime_ms: Math.round(clock.monotonicMs()) }
    const line = { level, component: 'transfer', ...now, message, ...all, ...fields }
    write(`${redact(JSON.stringify(line, printable))}\n`)
  }
}

function printable(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
}
