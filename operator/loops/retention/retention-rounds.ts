import { createAccountDeletion } from './delete-accounts.ts'
import { createRetention } from './retention.ts'
import type { DeletionDeps } from './delete-accounts.ts'
import type { RetentionDeps } from './retention.ts'

/** Whole accounts first: their deletion has a deadline, and their records need no visit. */
export function createRetentionRounds(
  deps: RetentionDeps & DeletionDeps,
): (signal: AbortSignal) => Promise<void> {
  const deleteAccounts = createAccountDeletion(deps)
  const retain = createRetention(deps)
  return async (signal) => {
    await deleteAccounts(signal)
    await retain(signal)
  }
}
