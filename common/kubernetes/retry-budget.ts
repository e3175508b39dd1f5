export interface RetryBudget {
  /** False when retries have become too large a share of all calls. */
  take(): boolean
  succeeded(): void
}

const full = 10
const perSuccess = 0.1

/**
 * At most one retry in ten calls over time, ten at once: without such a bound every caller of a
 * server that is down multiplies the load under which it has to come back.
 */
export function createRetryBudget(): RetryBudget {
  let left = full
  return {
    take() {
      if (left < 1) return false
      left -= 1
      return true
    },
    succeeded() {
      left = Math.min(full, left + perSuccess)
    },
  }
}
