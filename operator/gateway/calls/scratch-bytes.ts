import { bytesPerMbyte } from '../../../common/domain/plans.ts'
import { scratchMbytesOf } from '../../resources/limits.ts'
import type { ProfiledWork } from '../../resources/profiles.ts'
import type { Runner } from '../identity/runner-identity.ts'
import type { GatewayDeps } from './gateway-deps.ts'

/**
 * Working disk of an attempt. Its pod was made with it: settings, the plan of the account or its profile may have
 * changed since, and above its volume the kubelet evicts the pod. A runner that waited was made for all plans.
 */
export function scratchBytesOf(
  { pods, settings }: Pick<GatewayDeps, 'pods' | 'settings'>,
  { podUid }: Pick<Runner, 'podUid'>,
  work: ProfiledWork,
): number {
  const made = pods.podByUid(podUid)?.limits.scratchMbytes ?? null
  return (made ?? scratchMbytesOf(settings.runner, work)) * bytesPerMbyte
}
