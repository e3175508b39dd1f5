import type { Clock } from '../../common/runtime/effects.ts'
import type { AccountInPass, Submission } from '../../common/store/admission.ts'
import type { Submitter } from './pass.ts'

/** The accounts that submitted of late, which the reserve is for. */
export interface Submitters {
  /** Those that submitted within `withinSeconds`, with what the given accounts have waiting. */
  observe(accounts: readonly AccountInPass[]): Promise<readonly Submitter[]>
}

export interface SubmittersDeps {
  readonly clock: Clock
  /** 0 = the reserve is for none. */
  readonly withinSeconds: number
  readonly findSubmissions: (query: { withinSeconds: number }) => Promise<readonly Submission[]>
}

/**
 * Each command waits in the pass that admits it, so a term reads once what was submitted before it, and
 * remembers the rest. Of each size of an account only the newest submission counts.
 */
export function createSubmitters({
  clock,
  withinSeconds,
  findSubmissions,
}: SubmittersDeps): Submitters {
  /** Account, vCPUs, and when a command with as many was submitted last. */
  const submittedMs = new Map<string, Map<number, number>>()
  let hasRead = false
  return {
    async observe(accounts) {
      if (withinSeconds === 0) return []
      if (!hasRead) {
        for (const each of await findSubmissions({ withinSeconds })) note(each)
        hasRead = true
      }
      for (const { accountId, waiting } of accounts) {
        for (const { vcpuCount, waitedSeconds } of waiting) {
          note({ accountId, vcpuCount, secondsAgo: waitedSeconds })
        }
      }
      forgetOld()
      return [...submittedMs].map(([accountId, bySize]) => ({
        accountId,
        largestVcpus: Math.max(...bySize.keys()),
        hasFiles: bySize.has(0),
      }))
    },
  }

  function note({ accountId, vcpuCount, secondsAgo }: Submission): void {
    const atMs = clock.monotonicMs() - secondsAgo * 1_000
    const bySize = submittedMs.get(accountId) ?? new Map<number, number>()
    bySize.set(vcpuCount, Math.max(bySize.get(vcpuCount) ?? -Infinity, atMs))
    submittedMs.set(accountId, bySize)
  }

  function forgetOld(): void {
    const oldestMs = clock.monotonicMs() - withinSeconds * 1_000
    for (const [accountId, bySize] of submittedMs) {
      for (const [vcpuCount, atMs] of bySize) if (atMs <= oldestMs) bySize.delete(vcpuCount)
      if (bySize.size === 0) submittedMs.delete(accountId)
    }
  }
}
