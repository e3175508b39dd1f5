import { requireFeature, requireQuota } from '../accounts/allowance.ts'
import type { Plan } from '../../common/domain/plans.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'

/** Checks account and plan for one more file. @throws Refusal 403 */
export async function allowFile(
  store: Pick<Store, 'readUsage'>,
  account: Account,
  plan: Plan,
  file: {
    readonly isPrivate: boolean
    readonly webhookUrl: string | null
    /** Known in advance for an upload only. */
    readonly sizeBytes: number
  },
): Promise<void> {
  if (file.isPrivate) requireFeature(account, plan, 'private')
  if (file.webhookUrl !== null) requireFeature(account, plan, 'webhooks')
  await requireQuota(store, account, plan, { addBytes: file.sizeBytes })
}
