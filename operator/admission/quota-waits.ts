import type { AccountInPass } from '../../common/store/admission.ts'
import type { Clock } from '../../common/runtime/effects.ts'

/** Accounts whose commands fit all limits but a quota, as their last admission found. */
export interface QuotaWaits {
  /** @param message null: none of its commands waits for a quota */
  set(account: AccountInPass, message: string | null): void
  /** Quota that the account's commands wait for; null = try to admit them. */
  of(account: AccountInPass): string | null
  keepOnly(accountIds: ReadonlySet<string>): void
}

/** A deleted file or a new month frees a quota, too, and no row of a pass shows it. */
const tryAgainMs = 5_000

interface Wait {
  readonly message: string
  readonly running: string
  readonly untilMs: number
}

/**
 * An account that waits for a quota is left out of the passes until one of its commands has ended:
 * otherwise each pass would keep for it what other accounts could use.
 */
export function createQuotaWaits(clock: Clock): QuotaWaits {
  const waits = new Map<string, Wait>()
  return {
    set(account, message) {
      if (message === null) waits.delete(account.accountId)
      else {
        const untilMs = clock.monotonicMs() + tryAgainMs
        waits.set(account.accountId, { message, running: runningOf(account), untilMs })
      }
    },
    of(account) {
      const wait = waits.get(account.accountId)
      const isCurrent =
        wait !== undefined &&
        clock.monotonicMs() < wait.untilMs &&
        wait.running === runningOf(account)
      return isCurrent ? wait.message : null
    },
    keepOnly(accountIds) {
      for (const accountId of waits.keys()) if (!accountIds.has(accountId)) waits.delete(accountId)
    },
  }
}

function runningOf({ running }: AccountInPass): string {
  return running.map(({ commandId }) => commandId).join()
}
