import { backoff } from '../../common/runtime/backoff.ts'
import type { Refusal } from '../status/refusal.ts'

/** The API server's last refusal to create the Job of a generation. */
export interface JobRefusal {
  readonly jobGeneration: number
  readonly refusal: Refusal
  /** Refusals in a row. */
  readonly times: number
  readonly untilMs: number
}

/** A policy or a quota that lets the Job pass again is noticed within the longest wait. */
const refusedAgain = { first: 5_000, longest: 30_000, jitter: [1, 1.25] } as const

/** @param answer `refusal` null: the Job was created */
export function refusalAfter(
  last: JobRefusal | null,
  answer: {
    readonly jobGeneration: number
    readonly refusal: Refusal | null
    /** A number in [0, 1), for the wait until the next try. */
    readonly random: number
    readonly nowMs: number
  },
): JobRefusal | null {
  const { jobGeneration, refusal, random, nowMs } = answer
  if (refusal === null) return null
  const times = last?.jobGeneration === jobGeneration ? last.times + 1 : 1
  return { jobGeneration, refusal, times, untilMs: nowMs + backoff(refusedAgain, times, random) }
}

/** @returns the rest of the wait; 0: the Job may be created */
export function refusedForMs(
  last: JobRefusal | null,
  jobGeneration: number,
  nowMs: number,
): number {
  return last?.jobGeneration === jobGeneration ? Math.max(0, last.untilMs - nowMs) : 0
}
