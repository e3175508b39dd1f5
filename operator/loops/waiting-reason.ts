import type { WaitReason } from '../status/reason.ts'

/** Why a command waits: for vCPUs of its account, or for room in the whole installation. */
export function waitingReason(
  { vcpuInUse, vcpuLimit }: { readonly vcpuInUse: number; readonly vcpuLimit: number | null },
  vcpuCount: number,
): WaitReason {
  if (vcpuLimit !== null && vcpuInUse + vcpuCount > vcpuLimit) {
    return {
      reason: 'WaitingForQuota',
      message: `Needs ${vcpuCount} vCPUs; the account uses ${vcpuInUse} of its ${vcpuLimit}`,
    }
  }
  return {
    reason: 'WaitingForCapacity',
    message: 'Waits for its turn: larger commands before it, or as many Jobs as may run at a time',
  }
}
