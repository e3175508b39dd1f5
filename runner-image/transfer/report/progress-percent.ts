/** Value of 100 % of a step; both null = unknown. */
export interface Expected {
  readonly seconds: number | null
  readonly frames: number | null
}

/** Last report of FFmpeg. */
export interface Reached {
  readonly outTimeUs: number | null
  readonly frame: number | null
}

/**
 * Percent of one step, 0 to 99: FFmpeg reports the start of the last frame, so arithmetic never
 * reaches 100, and only success is 100. Never below `before`: FFmpeg's times can go backwards at
 * the start.
 */
export function stepPercent(
  expected: Expected,
  reached: Reached,
  before: number | null,
): number | null {
  const fraction = reachedFraction(expected, reached)
  if (fraction === null) return before
  const percent = Math.round(Math.min(0.99, Math.max(0, fraction)) * 1000) / 10
  return Math.min(99, Math.max(percent, before ?? 0))
}

function reachedFraction(expected: Expected, reached: Reached): number | null {
  if (expected.frames !== null && expected.frames > 0) {
    return reached.frame === null ? null : reached.frame / expected.frames
  }
  if (expected.seconds === null || expected.seconds <= 0 || reached.outTimeUs === null) return null
  return reached.outTimeUs / 1e6 / expected.seconds
}

export interface WeighedStep {
  /** 100 after success, null while unknown. */
  readonly percent: number | null
  readonly expectedSeconds: number | null
}

/**
 * Percent of a whole command: a step's weight is the number of seconds that it is expected to make;
 * all weights are equal if one is unknown. null until a step has reported progress.
 * @param fetchPercent what of the whole was the fetching of the inputs, and is done
 */
export function commandPercent(
  steps: readonly WeighedStep[],
  before: number | null,
  fetchPercent = 0,
): number | null {
  if (steps.every((step) => step.percent === null)) return before
  const known = steps.every((step) => step.expectedSeconds !== null && step.expectedSeconds > 0)
  const weights = steps.map((step) => (known ? (step.expectedSeconds ?? 0) : 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const done = steps.reduce(
    (sum, step, index) => sum + ((step.percent ?? 0) * (weights[index] ?? 0)) / total,
    0,
  )
  const whole = fetchPercent + (done * (100 - fetchPercent)) / 100
  return Math.min(99, Math.max(Math.round(whole * 10) / 10, before ?? 0))
}
