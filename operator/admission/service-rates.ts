import type { AccountInPass } from '../../common/store/admission.ts'
import type { Clock } from '../../common/runtime/effects.ts'

/** How many vCPUs the commands of each account have used on average of late. */
export interface ServiceRates {
  /** Call it in every pass with all accounts that wait or run. */
  observe(accounts: readonly Pick<AccountInPass, 'accountId' | 'running'>[]): void
  /** vCPUs; 0 for an account that the last pass did not have. */
  rateOf(accountId: string): number
}

/** The average is over this time, or over the account's presence while that is shorter. */
const windowMs = 15 * 60_000

/**
 * Kept in memory, because it decides nothing: after a failover the average begins with the vCPUs that are in
 * use then. One number per account: beyond the window old observations fade exponentially.
 */
export function createServiceRates({ clock }: { readonly clock: Clock }): ServiceRates {
  const rates = new Map<string, { vcpus: number; ofMs: number }>()
  let observedMs = clock.monotonicMs()
  return {
    observe(accounts) {
      const nowMs = clock.monotonicMs()
      const sinceMs = nowMs - observedMs
      observedMs = nowMs
      const present = new Set(accounts.map(({ accountId }) => accountId))
      for (const accountId of rates.keys()) if (!present.has(accountId)) rates.delete(accountId)
      for (const { accountId, running } of accounts) {
        const vcpus = running.reduce((sum, { vcpuCount }) => sum + vcpuCount, 0)
        const known = rates.get(accountId)
        const ofMs = Math.min((known?.ofMs ?? 0) + sinceMs, windowMs)
        const part = known === undefined || ofMs === 0 ? 1 : Math.min(1, sinceMs / ofMs)
        const before = known?.vcpus ?? vcpus
        rates.set(accountId, { vcpus: before + (vcpus - before) * part, ofMs })
      }
    },
    rateOf: (accountId) => rates.get(accountId)?.vcpus ?? 0,
  }
}
