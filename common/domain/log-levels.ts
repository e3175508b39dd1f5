/** Level of a line of a log. */
export type LogLevel = 'error' | 'warning' | 'info'

/**
 * Stored before a line of this level; a line of `info` has none. FFmpeg's own mark, such as `[error]`, could not
 * be distinguished from the same text of a library. Control characters are removed from each line before, so
 * these are always marks, and a server that does not know them shows the same visible text.
 */
const marks = { error: '\u0001', warning: '\u0002' } as const

/** A line as runners store it. */
export function markedLine(level: LogLevel, line: string): string {
  return level === 'info' ? line : marks[level] + line
}

export function levelOf(marked: string): { readonly level: LogLevel; readonly line: string } {
  if (marked.startsWith(marks.error)) return { level: 'error', line: marked.slice(1) }
  if (marked.startsWith(marks.warning)) return { level: 'warning', line: marked.slice(1) }
  return { level: 'info', line: marked }
}

/** Turns the next piece of a stored log into what the client reads. */
export type LogReader = (piece: string) => string

/** @param levels whether each line begins with `[error] `, `[warning] ` or `[info] `; else marks are removed */
export function createLogReader(levels: boolean): LogReader {
  if (!levels) return (piece) => piece.replaceAll(eitherMark, '')
  // A piece may end within a line.
  let isNewLine = true
  return (piece) => {
    const parts = piece.split(/(?<=\n)/).filter((part) => part !== '')
    const shown = parts.map((part, index) => (isNewLine || index > 0 ? withLevel(part) : part))
    isNewLine = parts.at(-1)?.endsWith('\n') ?? isNewLine
    return shown.join('')
  }
}

const eitherMark = new RegExp(`[${Object.values(marks).join('')}]`, 'g')

function withLevel(marked: string): string {
  const { level, line } = levelOf(marked)
  return `[${level}] ${line}`
}
