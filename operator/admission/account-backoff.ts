import { backoff } from '../../common/runtime/backoff.ts'
import type { Effects } from '../../common/runtime/effects.ts'

/**
 * Backoff of accounts whose admission failed: 1 s, doubled each time up to 5 minutes. In memory,
 * because it decides only the time of a retry: the next leader retries at once.
 */
export interface AccountBackoff {
  isDue(accountId: string): boolean
  failed(accountId: string): void
  succeeded(accountId: string): void
  /** Evicts all other accounts: they have no waiting commands any more. */
  keepOnly(accountIds: ReadonlySet<string>): void
  /** Accounts that fail. */
  size(): number
}

/** In milliseconds. */
const waits = { first: 1_000, longest: 300_000, jitter: [0.75, 1.25] } as const

export function createAccountBackoff({
  clock,
  random,
}: Pick<Effects, 'clock' | 'random'>): AccountBackoff {
  const failing = new Map<string, { readonly failures: number; readonly dueMs: number }>()
  return {
    isDue: (accountId) => (failing.get(accountId)?.dueMs ?? 0) <= clock.monotonicMs(),
    failed(accountId) {
      const failures = (failing.get(accountId)?.failures ?? 0) + 1
      const delayMs = backoff(waits, failures, random())
      failing.set(accountId, { failures, dueMs: clock.monotonicMs() + delayMs })
    },
    succeeded: (accountId) => void failing.delete(accountId),
    keepOnly(accountIds) {
      for (const accountId of failing.keys()) {
        if (!accountIds.has(accountId)) failing.delete(accountId)
      }
    },
    size: () => failing.size,
  }
}
