import { isConsequence } from '../../failure/error-lines.ts'
import type { LogLevel } from '../../../common/domain/log-levels.ts'

/** A line of FFmpeg's log without the mark that `-loglevel level+info` puts into it. */
export interface LogLine {
  readonly text: string
  readonly weight: LogWeight
  /** Level that FFmpeg gave; that of a line of a library follows its words. */
  readonly level: LogLevel
}

/**
 * Whether a line gives the cause of a failure, may explain it if no line does, or never does; a detail,
 * below `info`, is for a log that is stored alone. Only
 * FFmpeg's own lines are marked with their level; libraries write to stderr in their own forms.
 */
export type LogWeight = 'error' | 'hint' | 'talk' | 'detail'

/**
 * Up to two names of parts of FFmpeg stand before the mark, e.g.
 * `[in#0 @ 0x55d0] [error] Error opening input`.
 */
export function logLineFrom(line: string): LogLine {
  const found = markedLevel(line)
  if (found === null) return { text: line, ...foreignLine(line) }
  const { text, level, message } = found
  const shown = graveLevels.has(level) ? 'error' : level === 'warning' ? 'warning' : 'info'
  return {
    text,
    weight: weightOf(level, message, text),
    level: shown,
  }
}

/** The mark of a line by itself; null for a line without. */
export function markedLevel(
  line: string,
): { readonly level: string; readonly message: string; readonly text: string } | null {
  const [found, parts = '', level = '', message = ''] = marked.exec(line) ?? []
  return found === undefined ? null : { level, message, text: `${parts}${message}` }
}

/** FFmpeg reports `-stats_period`, which no user gave it. */
export const aboutOurOption = 'ffmpeg stats and -progress period set to '

/** Encoders write to stderr beside FFmpeg's log. */
export function isOfLibrary(line: string): boolean {
  return libraryTalk.test(line) || libraryWarning.test(line)
}

const marked =
  /^((?:\[[^\]]+ @ 0x[0-9a-f]+\] ){0,2})\[(panic|fatal|error|warning|info|verbose|debug|trace)\] ?(.*)$/

function weightOf(level: string, message: string, text: string): LogWeight {
  // an error that follows from another one has the weight of a warning, which may be the only line
  // with the cause
  if (graveLevels.has(level)) return isConsequence(text) && !opening.test(text) ? 'hint' : 'error'
  if (level !== 'warning') return level === 'info' ? 'talk' : 'detail'
  return causeWarning.test(message) ? 'error' : 'hint'
}

/** Which input it was, and how its opening ended: the verdict on the command depends on it. */
const opening = /^Error opening input files?\b/
const causeWarning =
  /^(?:Output file is empty|No filtered frames for output|To ignore this, add a trailing|Use a pattern such as)/
const graveLevels: ReadonlySet<string> = new Set(['panic', 'fatal', 'error'])

/** x264, x265 and SVT-AV1 have marks of their own; a filter's summary has none, nor has a panic. */
function foreignLine(line: string): Omit<LogLine, 'text'> {
  if (libraryTalk.test(line)) return { weight: 'talk', level: 'info' }
  if (libraryWarning.test(line)) return { weight: 'hint', level: 'warning' }
  return complaint.test(line) || causeWarning.test(line)
    ? { weight: 'error', level: 'error' }
    : { weight: 'hint', level: 'info' }
}

const libraryTalk = /^(?:x26[45] \[(?:info|debug|full)\]|Svt\[info\]|encoded \d+ frames in )/
const libraryWarning = /^(?:x26[45] \[warning\]|Svt\[warn\])/
const complaint = /\[error\]|error|fail|panic|abort|terminate|corrupt|invalid|cannot|setpriv:/i
