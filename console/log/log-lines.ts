/** Lines of a log that arrives in pieces. */
export interface LogLines {
  append(text: string): void
  /** All lines so far; the last may be incomplete. */
  lines(): readonly string[]
}

export function createLogLines(): LogLines {
  const done: string[] = []
  let rest = ''
  return {
    append(text) {
      const parts = (rest + text).split('\n')
      rest = parts.pop() ?? ''
      // One by one: a spread of a whole log would exceed the number of arguments.
      for (const line of parts) done.push(lastWritten(line))
    },
    lines: () => (rest === '' ? done : [...done, lastWritten(rest)]),
  }
}

/** A carriage return begins the line anew, as FFmpeg's statistics do in a terminal. */
function lastWritten(line: string): string {
  const parts = line.split('\r').filter((part) => part !== '')
  return parts.at(-1) ?? ''
}

/** `==> step 2 <==` and the like, which the service writes between steps and attempts. */
export function isHeading(line: string): boolean {
  return /^==> .* <==$/.test(line)
}

/** Numbers of the lines that hold the text, from 0, in any case. */
export function found(lines: readonly string[], text: string): number[] {
  const wanted = text.toLowerCase()
  if (wanted === '') return []
  return lines.flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [index] : []))
}
