import type { EffectiveLimits } from '../../../common/domain/plans.ts'

/** What a plan lowers is named, so that a slow or aborted command surprises no client. */
export function loweredTexts(
  requested: { readonly vcpu_count: number; readonly max_command_run_seconds: number },
  { vcpuCount, maxRunSeconds }: EffectiveLimits,
  planName: string,
): string[] {
  return [
    ...lowered('vcpu_count', requested.vcpu_count, vcpuCount, planName),
    ...lowered(
      'max_command_run_seconds',
      requested.max_command_run_seconds,
      maxRunSeconds,
      planName,
    ),
  ]
}

function lowered(field: string, requested: number, effective: number, planName: string): string[] {
  return requested === effective
    ? []
    : [`${field} ${requested} is lowered to ${effective} on plan '${planName}'`]
}
