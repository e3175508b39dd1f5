import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { saysPolicy, saysQuota } from '../../common/kubernetes/status-message.ts'
import type { QueueReason } from '../../common/domain/states.ts'
import type { Reason } from './reason.ts'

export interface Refusal extends Reason {
  /** The API server names a field of the Job itself, so no later try will be accepted. */
  readonly permanent: boolean
}

/**
 * The one place that decides whether a Job was refused, and whether for good. Only a Status 422 that names a field is:
 * policies, quotas, permissions and conflicts change while the command waits.
 * @returns null where the API server did not judge the Job: it is away or throttles
 */
export function refusalOf(error: unknown): Refusal | null {
  if (!isKubeError(error) || error.status === null) return null
  const message = error.message.slice(0, longestMessage)
  const refused = { message, permanent: false }
  switch (error.errorClass) {
    case 'quota':
      return { ...refused, reason: 'QuotaForbidden' }
    case 'invalid':
      return error.status === unprocessable && error.namesField
        ? { reason: 'InvalidJob', message, permanent: true }
        : { ...refused, reason: 'Forbidden' }
    case 'transient':
      return saysPolicy(error.message) ? { ...refused, reason: 'Forbidden' } : null
    case 'throttled':
      return null
    default:
      return { ...refused, reason: 'Forbidden' }
  }
}

const unprocessable = 422
const longestMessage = 500

/** Reasons of commands whose Job or pod the API server refuses for now. */
const refusals = ['QuotaForbidden', 'Forbidden', 'PodRefused']

export function isRefused({ reason }: Reason): boolean {
  return refusals.includes(reason)
}

/** `queue_reason` of an admitted command while no node has its pod; null: the cluster does not hold it up. */
export function startWaitOf(why: Reason): QueueReason | null {
  if (why.reason === 'Unschedulable') return 'CAPACITY'
  if (why.reason === 'WaitingForKueue') return 'KUEUE'
  if (!isRefused(why)) return null
  const isQuota = why.reason === 'QuotaForbidden' || saysQuota(why.message)
  return isQuota ? 'QUOTA_OF_CLUSTER' : 'POLICY'
}
