import { backoff } from '../../common/runtime/backoff.ts'
import type { PoolView } from './pool.ts'

/** The part of the pool's past that its next pass needs. Times are of the leader's monotonic clock. */
export interface PoolState {
  /** When a warm runner was bound; null: none was. */
  readonly boundMs: number | null
  /** Since when more are free than are needed; null: there are not. */
  readonly surplusSinceMs: number | null
  /** Failures in a row: one that waits for a command ends the row. */
  readonly failures: number
  readonly failedMs: number
  /** Reasons that were logged in this row. */
  readonly loggedReasons: ReadonlySet<string>
}

export const newPool: PoolState = {
  boundMs: null,
  surplusSinceMs: null,
  failures: 0,
  failedMs: -Infinity,
  loggedReasons: new Set(),
}

const failureWaits = { first: 1_000, longest: 300_000, jitter: [1, 1] } as const

export function afterBinding(state: PoolState, nowMs: number): PoolState {
  return { ...state, boundMs: nowMs }
}

/** @param hasSurplus whether more are free than are needed */
export function afterCount(state: PoolState, hasSurplus: boolean, nowMs: number): PoolState {
  return { ...state, surplusSinceMs: hasSurplus ? (state.surplusSinceMs ?? nowMs) : null }
}

export function afterFailure(state: PoolState, reason: string, nowMs: number): PoolState {
  const loggedReasons = new Set(state.loggedReasons).add(reason)
  return { ...state, failures: state.failures + 1, failedMs: nowMs, loggedReasons }
}

export function afterSuccess(state: PoolState): PoolState {
  return { ...state, failures: 0, loggedReasons: newPool.loggedReasons }
}

/** The waits on which the size of the pool depends, in seconds. */
export function poolWaits(
  state: PoolState,
  nowMs: number,
): Pick<PoolView, 'sinceBind' | 'surplusFor' | 'backoff'> {
  const { boundMs, surplusSinceMs, failures, failedMs } = state
  const waitMs = failures === 0 ? 0 : backoff(failureWaits, failures, 0) - (nowMs - failedMs)
  return {
    sinceBind: boundMs === null ? null : (nowMs - boundMs) / 1_000,
    surplusFor: surplusSinceMs === null ? 0 : (nowMs - surplusSinceMs) / 1_000,
    backoff: Math.max(0, waitMs) / 1_000,
  }
}
