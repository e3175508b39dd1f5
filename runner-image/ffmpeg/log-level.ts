/** A line of FFmpeg's log without the mark that `-loglevel level+info` puts into it. */
export interface LogLine {
  readonly text: string
  /** Whether it may say why a command failed; where there is no mark, somebody else wrote it. */
  readonly serious: boolean
}

/**
 * Up to two names of parts of FFmpeg stand before the mark, e.g.
 * `[in#0 @ 0x55d0] [error] Error opening input`.
 */
export function logLineFrom(line: string): LogLine {
  const found = marked.exec(line)
  if (found === null) return { text: line, serious: true }
  const [, parts = '', level = '', message = ''] = found
  return { text: `${parts}${message}`, serious: grave.has(level) }
}

const marked =
  /^((?:\[[^\]]+ @ 0x[0-9a-f]+\] ){0,2})\[(panic|fatal|error|warning|info|verbose|debug|trace)\] ?(.*)$/
const grave: ReadonlySet<string> = new Set(['panic', 'fatal', 'error', 'warning'])
