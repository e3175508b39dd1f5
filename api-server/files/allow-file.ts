import { requireActive, requireFeature, requireQuota } from '../accounts/allowance.ts'
import { refusal } from '../http/errors.ts'
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
  requireActive(account)
  if (file.isPrivate) requireFeature(account, plan, 'private')
  if (file.webhookUrl !== null) requireFeature(account, plan, 'webhooks')
  await requireQuota(store, account, plan, { addBytes: file.sizeBytes })
}

/**
 * The id in lower case. Calls that document their id as a string answer 404 for an id that is not a
 * UUID, as for an unknown one.
 * @throws Refusal 404 with `detail`
 */
export function knownId(text: string, detail: string): string {
  if (!uuid.test(text)) throw refusal(404, detail)
  return text.toLowerCase()
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
