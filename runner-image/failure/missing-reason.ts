import type { ArgumentGroup, StepPlan } from '../../common/command-line/model/plan.ts'
import { secondsOfTimeText } from '../../common/command-line/grammar/time-text.ts'
import { isConsequence, causeLines } from './error-lines.ts'

/**
 * Why a step that succeeded has written nothing to an output, as far as its log shows.
 * @param log FFmpeg's last errors, lines joined by `\n`, in the words of the user
 * @param seconds durations by alias
 */
export function missingReason(
  step: StepPlan,
  log: string,
  seconds: ReadonlyMap<string, number | null>,
): string | null {
  const lines = causeLines(log.split('\n').filter((line) => line !== ''))
  const empty = lines.some((line) => line.includes('Output file is empty, nothing was encoded'))
  return (
    seekPastEnd(step, seconds) ??
    (empty ? nothingEncoded : null) ??
    lines.find((line) => complaint.test(line)) ??
    null
  )
}

/**
 * Why a step has failed for lack of frames, as encoders do that learn from the first one what they need,
 * and muxers of files that cannot be empty; null if it has not, or not for certain.
 * @param tail FFmpeg's last errors, lines joined by `\n`
 * @param seconds durations by alias
 */
export function withoutFramesReason(
  step: StepPlan,
  tail: string,
  seconds: ReadonlyMap<string, number | null>,
): string | null {
  const lines = tail.split('\n')
  if (!lines.some((line) => noFrames.test(line))) return null
  const causes = lines.filter((line) => line !== '' && !isConsequence(line))
  const isCertain = causes.every((line) => ofNoFrames.some((pattern) => pattern.test(line)))
  return seekPastEnd(step, seconds) ?? (isCertain ? nothingEncoded : null)
}

const nothingEncoded =
  'nothing was encoded; check -ss, -t, -to and -frames, and what the filters let through'
const noFrames = /\] No filtered frames for output stream, /
/** Messages of FFmpeg 7.1 about JPEG, MPEG-1 and -2, WebP and APNG, and GIF. */
const ofNoFrames = [
  /\] Non full-range YUV is non-standard, /,
  /\] MPEG-1\/2 does not support \d+\/1 fps$/,
  /\] WebPAnimEncoderAssemble\(\) failed with error: /,
  /\] Error submitting video frame to the encoder$/,
  /\] Error flushing encoder: /,
  /\[out#\d+\/gif[^\]]*\] Error writing trailer: Invalid argument$/,
  /\] Output file is empty, nothing was encoded/,
]

/** A warning also occurs in successful runs, so it explains nothing. */
const complaint = /error|fail|cannot|could not|unable|invalid|no such/i

function seekPastEnd(step: StepPlan, seconds: ReadonlyMap<string, number | null>): string | null {
  const inputs = step.groups.filter(({ kind }) => kind === 'input')
  for (const input of inputs) {
    const length = lengthOf(input, seconds)
    const start = startOf(input)
    if (length !== null && start !== null && start.seconds >= length) {
      return pastEnd(start.text, `${input.alias ?? 'the input'} (${shown(length)} s)`)
    }
  }
  const lengths = inputs.map((input) => lengthOf(input, seconds))
  if (lengths.length === 0 || lengths.includes(null)) return null
  const longest = Math.max(...lengths.map((length) => length ?? 0))
  for (const output of step.groups.filter(({ kind }) => kind === 'output')) {
    const start = startOf(output)
    if (start !== null && start.seconds >= longest) {
      return pastEnd(start.text, `the input (${shown(longest)} s)`)
    }
  }
  return null
}

/** null if it is unknown, or where the input is played more than once. */
function lengthOf(
  { alias, options }: ArgumentGroup,
  seconds: ReadonlyMap<string, number | null>,
): number | null {
  if (options.some(({ name }) => name === 'stream_loop' || name === 'loop')) return null
  return alias === null ? null : (seconds.get(alias) ?? null)
}

function startOf({ options }: ArgumentGroup): { seconds: number; text: string } | null {
  const value = options.findLast(({ name }) => name === 'ss')?.value ?? []
  const text = value.map((part) => (typeof part === 'string' ? part : '')).join('')
  const start = secondsOfTimeText(text)
  return start === null || start <= 0 ? null : { seconds: start, text }
}

function pastEnd(start: string, what: string): string {
  return `-ss ${start} lies past the end of ${what}`
}

function shown(seconds: number): string {
  return String(Math.round(seconds * 1000) / 1000)
}
