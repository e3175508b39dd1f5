import { quotaProblem } from '../../common/domain/quota.ts'
import { refusal } from '../http/errors.ts'
import type { Plan } from '../../common/domain/plans.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'

/** A suspended account may read and delete, but nothing new begins. @throws Refusal 403 */
export function requireActive(account: Account): void {
  if (account.suspended)
    throw refusal(
      403,
      'The account is suspended; ask the administrator to resume it',
      {},
      'account_suspended',
    )
}

/** All checks for a request that begins new work. @throws Refusal 403 */
export async function requireSubmission(
  store: Pick<Store, 'readUsage'>,
  account: Account,
  plan: Plan,
  features: readonly Feature[],
): Promise<void> {
  requireActive(account)
  for (const feature of features) requireFeature(account, plan, feature)
  await requireQuota(store, account, plan)
}

export type Feature = 'chained' | 'uploads' | 'private' | 'webhooks'

/** @throws Refusal 403 */
export function requireFeature(account: Account, plan: Plan, feature: Feature): void {
  if (plan[feature]) return
  throw refusal(
    403,
    `Plan '${account.plan}' does not include ${featureNames[feature]}`,
    {},
    'plan_limit',
  )
}

const featureNames: Readonly<Record<Feature, string>> = {
  chained: 'chained commands',
  uploads: 'uploads',
  private: 'private files',
  webhooks: 'webhooks',
}

/**
 * Checked when a request is accepted; admission checks it again. Running commands are not stopped.
 * Accounts without limits cost no statement.
 * @param more `addBytes` is what an upload will store
 * @throws Refusal 403
 */
export async function requireQuota(
  store: Pick<Store, 'readUsage'>,
  account: Account,
  plan: Plan,
  more: { readonly addBytes: number } = { addBytes: 0 },
): Promise<void> {
  if (plan.processingMbytes === null && plan.storageMbytes === null) return
  const used = await store.readUsage(account.accountId)
  const problem = quotaProblem(used, plan, more.addBytes)
  if (problem !== null) throw refusal(403, problem, {}, 'quota_exceeded')
}
