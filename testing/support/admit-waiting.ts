import type { Admission, AdmissionRequest, AdmissionStore } from '../../common/store/admission.ts'

/** Limits that limit nothing. */
export const unlimited = {
  vcpuLimit: null,
  jobLimit: null,
  fileJobLimit: null,
  capacityVcpus: null,
  liveJobLimit: 100_000,
  liveFileJobLimit: 100_000,
  passSeconds: 300,
} as const

/** Admits the account's waiting commands as far as the limits allow, without a share for other accounts. */
export async function admitWaiting(
  store: Pick<AdmissionStore, 'findWaiting' | 'admit'>,
  accountId: string,
  limits: Partial<AdmissionRequest> = {},
): Promise<Admission> {
  const accounts = await store.findWaiting({ heads: 100 })
  const waiting = accounts.find((account) => account.accountId === accountId)?.waiting ?? []
  const commandIds = waiting.map(({ commandId }) => commandId)
  return store.admit({ ...unlimited, accountId, commandIds, ...limits })
}
