/** The progress output of a command. */
export interface ProgressLine {
  /** The present step: on a terminal it replaces the previous line, elsewhere each new `step` is a line. */
  show(step: string, detail?: string): void
  /** Prints a permanent line. */
  say(line: string): void
  /** Removes the present line. */
  clear(): void
}

interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export function createProgressLine(output: Output): ProgressLine {
  const terminal = output.isTTY === true
  // Some terminals report 0 columns.
  const width = (): number =>
    (output.columns === undefined || output.columns === 0 ? 80 : output.columns) - 1
  let shown = ''

  function clear(): void {
    if (terminal && shown !== '') output.write('\r\x1b[K')
    if (terminal) shown = ''
  }

  return {
    show(step, detail = '') {
      const line = terminal ? `${step} ${detail}`.trimEnd() : step
      if (line === shown) return
      if (terminal) output.write(`\r\x1b[K${line.slice(0, width())}`)
      else output.write(`${line}\n`)
      shown = line
    },
    say(line) {
      clear()
      output.write(`${line}\n`)
    },
    clear,
  }
}
