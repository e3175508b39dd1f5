import { createTextLines } from '../run/text-lines.ts'

/** Largest number of packets whose times are read. */
export const mostTimes = 240

/** Reads one presentation time a line, as ffprobe's compact writer gives them; N/A is left out. */
export function createTimesReader() {
  const times: number[] = []
  return {
    push: createTextLines((line) => {
      const time = Number.parseInt(line, 10)
      if (Number.isFinite(time)) times.push(time)
    }),
    times: (): readonly number[] => times,
  }
}

/**
 * Whether a video's frame rate varies. The two rates that containers declare do not show it:
 * Matroska names the same twice for a variable one, fragmented MP4 different ones for a constant
 * one.
 * @param times presentation times of the first frames, in ticks of the stream's time base, in any
 *   order
 * @returns null with fewer than two frames
 */
export function isVaryingFrameRate(times: readonly number[]): boolean | null {
  const sorted = times.toSorted((a, b) => a - b)
  const steps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? 0))
  const median = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)]
  if (median === undefined) return null
  // Matroska's milliseconds alternate between 33 and 34 for 30 frames a second
  const tolerance = Math.max(median * 0.1, 1.5)
  const outliers = steps.filter((step) => Math.abs(step - median) > tolerance).length
  return outliers > steps.length * 0.02
}
