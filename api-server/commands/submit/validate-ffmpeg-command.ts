import { clampToPlan, planOf } from '../../../common/domain/plans.ts'
import { requireSubmission } from '../../accounts/allowance.ts'
import { closedUrlMistakes } from '../../http/closed-urls.ts'
import { refusal, Refusal } from '../../http/errors.ts'
import { operation } from '../../http/openapi.ts'
import { validatorFor } from '../../http/validate.ts'
import { featuresOf, loweredTexts, loweredTtl } from './accept-command.ts'
import { dryRun } from './dry-run.ts'
import { chainSubmissionFrom, submissionFrom } from './submission.ts'
import type { Plan, Plans } from '../../../common/domain/plans.ts'
import type { AuthenticatedKey } from '../../../common/store/accounts.ts'
import type { Store } from '../../../common/store/store.ts'
import type { AddressRules } from '../../../common/network/address-policy.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { JsonObject } from '../../http/openapi.ts'
import type {
  Calls,
  CommandValidation,
  RunChainedFfmpegCommandsBody,
  RunFfmpegCommandBody,
} from '../../../common/openapi/openapi-types.ts'
import type { SubmissionResult } from './submission.ts'

interface Deps {
  readonly store: Pick<Store, 'readUsage'>
  readonly plans: Plans
}

const checkSingle = validatorFor<Calls['runFfmpegCommand']>(operation('runFfmpegCommand').schema)
const checkChain = validatorFor<Calls['runChainedFfmpegCommands']>(
  operation('runChainedFfmpegCommands').schema,
)

/**
 * `POST /v1/validate-ffmpeg-command`: checks a body as a submission does. It does not use
 * `endpoint`, since it validates against one of two schemas, depending on whether the body is a
 * chain.
 */
export function validateFfmpegCommand({ store, plans }: Deps): Endpoint {
  return {
    access: 'key',
    operation: operation('validateFfmpegCommand'),
    async answer(request, { key, addressRules }) {
      const { body, result, unknown } = readRequest(request, addressRules)
      const plan = planOf(plans, key.account.plan)
      const validation = {
        ...textValidation(result, { body, plan, key, unknown }),
        plan_error: await planError({ store, body, key, plan }),
      }
      return { status: 200, body: validation }
    },
  }
}

type Body = RunFfmpegCommandBody | RunChainedFfmpegCommandsBody

/** @throws Refusal 422 if the schema refuses the body */
function readRequest(
  request: unknown,
  rules: AddressRules,
): {
  body: Body
  result: SubmissionResult
  unknown: readonly string[]
} {
  if (isChain(request)) {
    const checked = checkChain(request)
    if (!checked.ok) throw refusal(422, checked.mistakes)
    refuseClosed(operation('runChainedFfmpegCommands').schema, checked.value, rules)
    const { body } = checked.value
    return { body, result: chainSubmissionFrom(body), unknown: checked.warnings }
  }
  const checked = checkSingle(request)
  if (!checked.ok) throw refusal(422, checked.mistakes)
  refuseClosed(operation('runFfmpegCommand').schema, checked.value, rules)
  const { body } = checked.value
  return { body, result: submissionFrom(body), unknown: checked.warnings }
}

function refuseClosed(schema: JsonObject, call: unknown, rules: AddressRules): void {
  const closed = closedUrlMistakes(schema, call, rules)
  if (closed.length > 0) throw refusal(422, closed)
}

function isChain(request: unknown): boolean {
  const body = fieldOf(request, 'body')
  return (
    fieldOf(body, 'ffmpeg_commands') !== undefined && fieldOf(body, 'ffmpeg_command') === undefined
  )
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined
}

function textValidation(
  result: SubmissionResult,
  {
    body,
    plan,
    key,
    unknown,
  }: { body: Body; plan: Plan; key: AuthenticatedKey; unknown: readonly string[] },
): Omit<CommandValidation, 'plan_error'> {
  const planName = key.account.plan
  const effective = clampToPlan(plan, {
    vcpuCount: body.vcpu_count,
    maxRunSeconds: body.max_command_run_seconds,
  })
  const dry = result.ok ? dryRun(result.submission, effective.vcpuCount) : null
  return {
    valid: result.ok,
    commands: dry?.commands ?? [],
    errors: result.ok ? [] : result.mistakes,
    warnings: [
      ...unknown,
      ...(dry?.warnings ?? []),
      ...loweredTexts(body, effective, planName),
      ...loweredTtl(body.output_ttl_seconds, plan, planName),
    ],
    effective: {
      vcpu_count: effective.vcpuCount,
      max_command_run_seconds: effective.maxRunSeconds,
    },
  }
}

async function planError({
  store,
  body,
  key: { account },
  plan,
}: {
  store: Deps['store']
  body: Body
  key: AuthenticatedKey
  plan: Plan
}): Promise<string | null> {
  const type = 'ffmpeg_commands' in body ? 'FFMPEG_CHAINED_COMMANDS' : 'FFMPEG_COMMAND'
  try {
    await requireSubmission(store, account, plan, featuresOf(type, body))
    return null
  } catch (error) {
    if (error instanceof Refusal) return String(fieldOf(error.answer.body, 'detail'))
    throw error
  }
}
