/** Where a command tells what it does. */
export interface ProgressLine {
  /** What happens now: on a terminal it replaces the line before, elsewhere each change of `step` is a line. */
  show(step: string, detail?: string): void
  /** A line that stays. */
  say(line: string): void
  /** Takes the present line away. */
  clear(): void
}

interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export function createProgressLine(output: Output): ProgressLine {
  const terminal = output.isTTY === true
  // Some terminals say that they have no columns at all.
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
