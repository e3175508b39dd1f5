import { backoff } from '../../common/runtime/backoff.ts'
import type { Backoff } from '../../common/runtime/backoff.ts'
import type { Effects } from '../../common/runtime/effects.ts'

/**
 * Backoff of each item that fails, by its id, doubled with each failure. In memory, because it decides
 * only the time of a retry: the next leader retries at once.
 */
export interface ItemBackoff {
  isDue(id: string): boolean
  failed(id: string): void
  succeeded(id: string): void
  /** Evicts all other items: they need no work any more. */
  keepOnly(ids: ReadonlySet<string>): void
  /** Items whose backoff has not ended. */
  waiting(): string[]
  /** Items that fail. */
  size(): number
}

/** @param deps.waits in milliseconds */
export function createItemBackoff({
  waits,
  clock,
  random,
}: Pick<Effects, 'clock' | 'random'> & { readonly waits: Backoff }): ItemBackoff {
  const failing = new Map<string, { readonly failures: number; readonly dueMs: number }>()
  const isDue = (id: string): boolean => (failing.get(id)?.dueMs ?? 0) <= clock.monotonicMs()
  return {
    isDue,
    failed(id) {
      const failures = (failing.get(id)?.failures ?? 0) + 1
      const delayMs = backoff(waits, failures, random())
      failing.set(id, { failures, dueMs: clock.monotonicMs() + delayMs })
    },
    succeeded: (id) => void failing.delete(id),
    keepOnly(ids) {
      for (const id of failing.keys()) if (!ids.has(id)) failing.delete(id)
    },
    waiting: () => [...failing.keys()].filter((id) => !isDue(id)),
    size: () => failing.size,
  }
}
