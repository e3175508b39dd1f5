import { ObjectStoreUnavailable } from '../../common/storage/object-store.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'

/** Decides when failures are those of a dependency and not of single items. */
export interface Outage {
  /** The dependency has answered, be it with a refusal of the item. */
  answered(): void
  /**
   * The store did not answer for an item.
   * @param accountIds of each piece of work in the item
   * @returns whether the outage is certain
   */
  failed(accountIds: readonly string[]): boolean
}

/**
 * Failures in a row, without an answer in between. Of several accounts, because the objects of one account may
 * lie where the store fails for a long time.
 */
const mostFailures = 5
const mostAccounts = 3

export function createOutage(): Outage {
  let failures = 0
  const accounts = new Set<string>()
  return {
    answered() {
      failures = 0
      accounts.clear()
    },
    failed(accountIds) {
      failures += accountIds.length
      for (const accountId of accountIds) accounts.add(accountId)
      return failures >= mostFailures && accounts.size >= mostAccounts
    },
  }
}

/** True for the outages that stop a sweep of objects, which needs the object store and the record of each item. */
export function isStoreOutage(error: unknown): boolean {
  return error instanceof ObjectStoreUnavailable || error instanceof DatabaseUnavailable
}
