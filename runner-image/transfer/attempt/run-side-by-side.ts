import { Failure } from '../../../common/domain/failures.ts'
import type { StepPlan } from '../../../common/command-line/model/plan.ts'

type Step = Pick<StepPlan, 'index' | 'dependsOn'>

/**
 * Runs each step as soon as those it depends on have succeeded, lower ones first. Once one fails,
 * the steps after it are stopped and those before it continue: the outcome equals that of a
 * sequential run, whichever step is the fastest.
 * @param atOnce most steps that run at a time
 * @param run gets a signal that aborts if the step no longer counts
 * @returns the failure of the lowest step that failed, once all have ended; null = all succeeded
 * @throws an error that is not a step's, once all have been stopped
 */
export async function runSideBySide<S extends Step>(
  steps: readonly S[],
  atOnce: number,
  run: (step: S, stop: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<{ index: number; failure: Failure } | null> {
  const running = new Map<number, { stop: AbortController; ended: Promise<void> }>()
  const waiting = new Set(steps)
  const done = new Set<number>()
  const outcome: Outcome = { failed: null, broken: null }

  function mayStart({ index, dependsOn }: Step): boolean {
    if (signal.aborted || outcome.broken !== null) return false
    return index < lowestFailed(outcome) && dependsOn.every((at) => done.has(at))
  }

  async function follow(step: S, stop: AbortController): Promise<void> {
    try {
      await run(step, stop.signal)
      done.add(step.index)
      running.delete(step.index)
    } catch (error) {
      running.delete(step.index)
      blame(step.index, error)
    }
  }

  function blame(index: number, error: unknown): void {
    if (!(error instanceof Failure)) outcome.broken ??= { error }
    else if (index < lowestFailed(outcome)) outcome.failed = { index, failure: error }
    for (const [at, { stop }] of running) {
      if (outcome.broken !== null || at > lowestFailed(outcome)) stop.abort()
    }
  }

  for (;;) {
    for (const step of waiting) {
      if (running.size >= atOnce || !mayStart(step)) continue
      waiting.delete(step)
      const own = { stop: new AbortController(), ended: Promise.resolve() }
      running.set(step.index, own)
      own.ended = follow(step, own.stop)
    }
    if (running.size === 0) break
    await Promise.race([...running.values()].map(({ ended }) => ended))
  }
  signal.throwIfAborted()
  if (outcome.broken !== null) throw outcome.broken.error
  return outcome.failed
}

interface Outcome {
  failed: { index: number; failure: Failure } | null
  /** Error that no step is to blame for. */
  broken: { error: unknown } | null
}

function lowestFailed({ failed }: Outcome): number {
  return failed === null ? Infinity : failed.index
}
