import { bytesPerMbyte } from '../../common/domain/plans.ts'
import { refusal } from '../http/errors.ts'
import type { Plan } from '../../common/domain/plans.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'

/** A suspended account may read and delete, but nothing new begins. @throws Refusal 403 */
export function requireActive(account: Account): void {
  if (account.suspended) throw refusal(403, 'The account is suspended')
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
  throw refusal(403, `Plan '${account.plan}' does not include ${featureNames[feature]}`)
}

const featureNames: Readonly<Record<Feature, string>> = {
  chained: 'chained commands',
  uploads: 'uploads',
  private: 'private files',
  webhooks: 'webhooks',
}

/**
 * Checked when a request is accepted and not later: queued and running commands are not stopped.
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
  const problem =
    processingProblem(used.processingBytes, plan) ??
    storageProblem(used.storedBytes, more.addBytes, plan)
  if (problem !== null) throw refusal(403, problem)
}

function processingProblem(usedBytes: number, { processingMbytes }: Plan): string | null {
  if (processingMbytes === null || usedBytes < processingMbytes * bytesPerMbyte) return null
  return `Processing quota exceeded: ${figure(usedBytes)} of ${processingMbytes} MB used this month`
}

function storageProblem(
  storedBytes: number,
  addBytes: number,
  { storageMbytes }: Plan,
): string | null {
  if (storageMbytes === null) return null
  const limit = storageMbytes * bytesPerMbyte
  const used = `${figure(storedBytes)} of ${storageMbytes} MB used`
  if (storedBytes >= limit) return `Storage quota exceeded: ${used}`
  if (storedBytes + addBytes <= limit) return null
  return `Storage quota exceeded: ${used}, the upload needs ${figure(addBytes)} MB`
}

/** MB with one decimal, without a trailing `.0`. */
function figure(bytes: number): string {
  return String(Math.round((bytes / bytesPerMbyte) * 10) / 10)
}
