import { createLogger as createWinston, format, transports } from 'winston'
import type { Clock } from './effects.ts'
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
export function createLogger(settings: {
  readonly component: string
  readonly level: LogLevel
  readonly clock: Pick<Clock, 'wall'>
}): Logger {
  const winston = createWinston({
    level: settings.level,
    format: jsonLine(settings.clock),
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

/** `format.json()` sorts the keys of each line, which takes longer than the rest of it. */
const jsonLine = (clock: Pick<Clock, 'wall'>) =>
  format((line) => {
    line[MESSAGE] = JSON.stringify({ timestamp: clock.wall().toISOString(), ...line })
    return line
  })()
const MESSAGE = Symbol.for('message')

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
  return new FieldLogger(fields, sink, isWanted)
}

/** A class, because each request has a child of its own. */
class FieldLogger implements Logger {
  readonly #fields: LogFields
  readonly #sink: Sink
  readonly #isWanted: (level: LogLevel) => boolean

  constructor(fields: LogFields, sink: Sink, isWanted: (level: LogLevel) => boolean) {
    this.#fields = fields
    this.#sink = sink
    this.#isWanted = isWanted
  }

  debug(message: string, more: LogFields = {}): void {
    this.#say('debug', message, more)
  }

  info(message: string, more: LogFields = {}): void {
    this.#say('info', message, more)
  }

  warn(message: string, more: LogFields = {}): void {
    this.#say('warn', message, more)
  }

  error(message: string, more: LogFields = {}): void {
    this.#say('error', message, more)
  }

  child(more: LogFields): Logger {
    return new FieldLogger({ ...this.#fields, ...more }, this.#sink, this.#isWanted)
  }

  #say(level: LogLevel, message: string, more: LogFields): void {
    if (!this.#isWanted(level)) return
    this.#sink(level, redact(message), redactAll({ ...this.#fields, ...more }))
  }
}

export const silentLogger: Logger = loggerWith({}, () => undefined)

function redactAll(fields: LogFields): LogFields {
  const safe: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) safe[name] = printable(value)
  return safe
}

function printable(value: unknown): unknown {
  if (typeof value === 'string') return redact(value)
  if (value instanceof Error) return { ...errorFields(value) }
  if (typeof value === 'bigint') return String(value)
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
