import { createLogger as createWinston, format, transports } from 'winston'
import { redact } from './redact.ts'

/** One JSON line per event that matters. Fields of a child are on each of its lines. */
export interface Logger {
  readonly debug: Say
  readonly info: Say
  readonly warn: Say
  readonly error: Say
  child<F extends LogFields>(fields: F & SnakeCase<F>): Logger
}

type Say = <F extends LogFields>(message: string, fields?: F & SnakeCase<F>) => void

export type LogFields = Readonly<Record<Lowercase<string>, unknown>>

/**
 * Keys are snake_case, and equal to the API's if the API has the field: one search for `command_id`
 * finds the lines of every component. The compiler refuses a capital letter, in spread objects too.
 */
export type SnakeCase<F> = {
  readonly [K in keyof F]: K extends Lowercase<K & string> ? unknown : never
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Lines go to standard output; text that matches a secret's pattern is replaced first. */
export function createLogger(settings: { component: string; level: LogLevel }): Logger {
  const winston = createWinston({
    level: settings.level,
    format: format.combine(format.timestamp(), format.json()),
    transports: [new transports.Console({ stderrLevels: [] })],
  })
  return loggerWith(
    { component: settings.component },
    (level, message, fields) => {
      winston.log({ level, message, ...fields })
    },
    (level) => winston.isLevelEnabled(level),
  )
}

type Sink = (level: LogLevel, message: string, fields: LogFields) => void

/**
 * A logger over any sink: tests and the simulator read the lines instead of printing them.
 * @param isWanted saves the work for lines below the log level
 */
export function loggerWith(
  fields: LogFields,
  sink: Sink,
  isWanted: (level: LogLevel) => boolean = () => true,
): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, more: LogFields = {}): void => {
      if (!isWanted(level)) return
      sink(level, redact(message), redactAll({ ...fields, ...more }))
    }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (more) => loggerWith({ ...fields, ...more }, sink, isWanted),
  }
}

export const silentLogger: Logger = loggerWith({}, () => undefined)

function redactAll(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, printable(value)]))
}

function printable(value: unknown): unknown {
  if (typeof value === 'string') return redact(value)
  if (value instanceof Error) return { ...errorFields(value) }
  return typeof value === 'object' && value !== null
    ? (JSON.parse(redact(JSON.stringify(value))) as unknown)
    : value
}

function errorFields(error: Error): LogFields {
  return {
    name: error.name,
    message: redact(error.message),
    stack: redact(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: printable(error.cause) }),
  }
}
