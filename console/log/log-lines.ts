import type { LogLevel } from '../../common/domain/log-levels.ts'

/** A line of FFmpeg, or a heading of the service. */
export interface LogLine {
  readonly text: string
  /** null for a heading, such as `==> step 2 <==`. */
  readonly level: LogLevel | null
}

/** Lines of a log that arrives in pieces. */
export interface LogLines {
  append(text: string): void
  /** All lines so far; the last may be incomplete. */
  lines(): readonly LogLine[]
}

export function createLogLines(): LogLines {
  const done: LogLine[] = []
  let rest = ''
  return {
    append(text) {
      const parts = (rest + text).split('\n')
      rest = parts.pop() ?? ''
      // One by one: a spread of a whole log would exceed the number of arguments.
      for (const line of parts) done.push(lineOf(line))
    },
    lines: () => (rest === '' ? done : [...done, lineOf(rest)]),
  }
}

/** A service of an earlier release sends lines without their level. */
function lineOf(written: string): LogLine {
  if (/^==> .* <==$/.test(written)) return { text: written, level: null }
  const [, level = 'info', text = ''] = /^\[(error|warning|info)\] ?(.*)$/s.exec(written) ?? [
    '',
    'info',
    written,
  ]
  return { text: lastWritten(text), level: level as LogLevel }
}

/** A carriage return begins the line anew, as FFmpeg's statistics do in a terminal. */
function lastWritten(line: string): string {
  const parts = line.split('\r').filter((part) => part !== '')
  return parts.at(-1) ?? ''
}

/** Indices of the lines that hold the text, in any case. */
export function found(lines: readonly LogLine[], text: string): number[] {
  const wanted = text.toLowerCase()
  if (wanted === '') return []
  return lines.flatMap((line, index) => (line.text.toLowerCase().includes(wanted) ? [index] : []))
}

/** The text without levels, as FFmpeg wrote it. */
export function plainText(lines: readonly LogLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('')
}
