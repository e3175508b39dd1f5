import { clampToPlan, clampTtl, planOf } from '../../../common/domain/plans.ts'
import { mostReservedBytes } from '../../../common/domain/quota.ts'
import { requireSubmission } from '../../accounts/allowance.ts'
import { presignedTtlSeconds } from '../../files/file-urls.ts'
import { refusal } from '../../http/errors.ts'
import type { Plan, Plans, EffectiveLimits } from '../../../common/domain/plans.ts'
import type { Feature } from '../../accounts/allowance.ts'
import type { Answer } from '../../http/errors.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Account, AuthenticatedKey } from '../../../common/store/accounts.ts'
import type { NewCommand } from '../../../common/store/commands.ts'
import type { Store } from '../../../common/store/store.ts'
import type { QueueRoom } from '../../limits/queue-room.ts'
import type { Context } from '../../http/endpoint.ts'
import type { OriginalCommand } from '../../../common/openapi/openapi-types.ts'
import type { SubmissionResult } from './submission.ts'
import type { Submit } from './submit.ts'

export interface AcceptDeps {
  readonly store: Pick<Store, 'readUsage'>
  readonly effects: Effects
  readonly plans: Plans
  readonly submit: Submit
  readonly queueRoom: QueueRoom
}

/** Fields that single commands and chains have in common. */
type Requested = Pick<
  OriginalCommand,
  | 'max_command_run_seconds'
  | 'vcpu_count'
  | 'metadata'
  | 'is_private'
  | 'priority'
  | 'output_ttl_seconds'
  | 'presigned_ttl_seconds'
  | 'webhook_url'
>

/**
 * Stores a checked command; once this resolves, it will run.
 * @throws Refusal 422 for the command's text, 403 if account or plan do not allow it, 429 if its queue is full
 */
export async function acceptCommand(
  { store, effects, plans, submit, queueRoom }: AcceptDeps,
  submissionOf: (plan: Plan) => SubmissionResult,
  { key, fields, newId, warnings }: Context,
): Promise<Answer> {
  const command = await effects.failpoint('api.validated', async () => {
    const plan = planOf(plans, key.account)
    const result = submissionOf(plan)
    if (!result.ok) throw refusal(422, result.mistakes)
    const { commandType, source, originalRequest } = result.submission
    warnings.push(...result.warnings)
    await requireSubmission(store, key.account, plan, featuresOf(commandType, originalRequest))
    await queueRoom.require(key.account, plan, 'commands')
    return {
      ...acceptedFields(originalRequest, key, plan),
      commandId: newId(),
      commandType,
      source,
      originalRequest: { ...originalRequest },
    }
  })
  fields['command_id'] = command.commandId
  const planName = key.account.plan
  warnings.push(...loweredTexts(command.originalRequest, command, planName))
  warnings.push(
    ...loweredTtl(command.originalRequest.output_ttl_seconds, planOf(plans, key.account), planName),
  )
  await submit(command)
  const named = warnings.length === 0 ? {} : { warnings: [...warnings] }
  return { status: 200, body: { command_id: command.commandId, ...named } }
}

/** Plan features that the request requires. */
export function featuresOf(
  commandType: NewCommand['commandType'],
  request: { readonly is_private: boolean; readonly webhook_url?: string | null },
): Feature[] {
  return [
    ...(commandType === 'FFMPEG_CHAINED_COMMANDS' ? (['chained'] as const) : []),
    ...(request.is_private ? (['private'] as const) : []),
    ...((request.webhook_url ?? null) === null ? [] : (['webhooks'] as const)),
  ]
}

function acceptedFields(
  request: Requested,
  { account, keyId, environmentName }: AuthenticatedKey,
  plan: Plan,
) {
  return {
    accountId: account.accountId,
    environmentName,
    submittedKeyId: keyId,
    metadata: request.metadata,
    isPrivate: request.is_private,
    priority: request.priority ?? 'normal',
    outputTtlSeconds: clampTtl(plan, outputTtlSeconds(request, account)),
    presignedTtlSeconds: presignedTtlSeconds(request),
    webhookUrl: request.webhook_url?.trim() ?? null,
    mostReservedBytes: mostReservedBytes(plan),
    ...clampToPlan(plan, {
      vcpuCount: request.vcpu_count,
      maxRunSeconds: request.max_command_run_seconds,
    }),
  }
}

/** A requested TTL of 0 keeps the outputs and overrides the account's default. */
function outputTtlSeconds(request: Requested, account: Account): number | null {
  const seconds = request.output_ttl_seconds ?? account.defaultOutputTtlSeconds
  return seconds === 0 ? null : seconds
}

/** Warnings about values that the plan lowers, since a command may then be slower or time out. */
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

/** A requested TTL of 0 keeps the outputs. */
export function loweredTtl(
  requested: number | null | undefined,
  plan: Plan,
  planName: string,
): string[] {
  if (requested === null || requested === undefined) return []
  const kept = clampTtl(plan, requested === 0 ? null : requested) ?? 0
  return lowered('output_ttl_seconds', requested, kept, planName)
}

function lowered(field: string, requested: number, effective: number, planName: string): string[] {
  return requested === effective
    ? []
    : [`${field} ${requested} is lowered to ${effective} on plan '${planName}'`]
}
