import type { Logger } from '../../common/runtime/logger.ts'

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
