import { clampToPlan, defaultLimits, planOf } from '../../../common/domain/plans.ts'
import { requireSubmission } from '../../accounts/allowance.ts'
import { closedUrlsOf } from '../../http/closed-urls.ts'
import { objectIn } from '../../http/json-strings.ts'
import { refusal, Refusal } from '../../http/errors.ts'
import { operation } from '../../http/openapi.ts'
import { validatorFor } from '../../http/validate.ts'
import { featuresOf, loweredTexts, loweredTtl } from './accept-command.ts'
import { dryRun } from './dry-run.ts'
import { chainSubmissionFrom, requestedLimits, submissionFrom } from './submission.ts'
import type { Plan, Plans } from '../../../common/domain/plans.ts'
import type { AuthenticatedKey } from '../../../common/store/accounts.ts'
import type { Store } from '../../../common/store/store.ts'
import type { AddressRules } from '../../../common/network/address-policy.ts'
import type { Context, Endpoint } from '../../http/endpoint.ts'
import type {
  Calls,
  CommandValidation,
  RunChainedFfmpegCommandsBody,
  RunFfmpegCommandBody,
  ValidationMistake,
} from '../../../common/openapi/openapi-types.ts'
import type { SubmissionResult } from './submission.ts'

interface Deps {
  readonly store: Pick<Store, 'readUsage'>
  readonly plans: Plans
}

const singleSchema = operation('runFfmpegCommand').schema
const chainSchema = operation('runChainedFfmpegCommands').schema
const closedInSingle = closedUrlsOf(singleSchema)
const closedInChain = closedUrlsOf(chainSchema)
const checkSingle = validatorFor<Calls['runFfmpegCommand']>(singleSchema)
const checkChain = validatorFor<Calls['runChainedFfmpegCommands']>(chainSchema)
const checkQuery = validatorFor<Pick<Calls['validateFfmpegCommand'], 'query'>>({
  type: 'object',
  properties: { query: fieldOf(operation('validateFfmpegCommand').schema['properties'], 'query') },
})

/**
 * `POST /v1/validate-ffmpeg-command`: checks a body as a submission does. It does not use
 * `endpoint`, since it validates against one of two schemas, depending on whether the body is a
 * chain.
 */
export function validateFfmpegCommand({ store, plans }: Deps): Endpoint {
  return {
    access: 'key',
    operation: operation('validateFfmpegCommand'),
    async answer(request, { key, addressRules, ignores }) {
      const plan = planOf(plans, key.account)
      const query = readQuery(request, ignores)
      const read = readRequest(request, plan, addressRules)
      if (!read.ok) {
        if (query.listsSchemaErrors) return { status: 200, body: schemaErrors(read.mistakes, plan) }
        throw refusal(422, read.mistakes)
      }
      const { body, result } = read
      const unknown = [...query.unknown, ...read.unknown]
      const validation = {
        ...textValidation(result, { body, plan, key, unknown }),
        plan_error: await planError({ store, body, key, plan }),
      }
      return { status: 200, body: validation }
    },
  }
}

type Body = RunFfmpegCommandBody | RunChainedFfmpegCommandsBody

type Reading =
  | {
      readonly ok: true
      readonly body: Body
      readonly result: SubmissionResult
      readonly unknown: readonly string[]
    }
  | { readonly ok: false; readonly mistakes: ValidationMistake[] }

function readRequest(request: unknown, plan: Plan, rules: AddressRules): Reading {
  const submission = { path: {}, query: {}, body: fieldOf(request, 'body') }
  if (isChain(request)) {
    const checked = checkChain(submission)
    if (!checked.ok) return checked
    const closed = closedInChain(checked.value, rules)
    if (closed.length > 0) return { ok: false, mistakes: closed }
    const { body } = checked.value
    return { ok: true, body, result: chainSubmissionFrom(body, plan), unknown: checked.warnings }
  }
  const checked = checkSingle(submission)
  if (!checked.ok) return checked
  const closed = closedInSingle(checked.value, rules)
  if (closed.length > 0) return { ok: false, mistakes: closed }
  const { body } = checked.value
  return { ok: true, body, result: submissionFrom(body, plan), unknown: checked.warnings }
}

/** @throws Refusal 422 for a value that is not true or false */
function readQuery(
  request: unknown,
  ignores: Context['ignores'],
): {
  listsSchemaErrors: boolean
  unknown: readonly string[]
} {
  const checked = checkQuery({ query: fieldOf(request, 'query') })
  ignores(checked.ignoredParameters)
  if (!checked.ok) throw refusal(422, checked.mistakes)
  return { listsSchemaErrors: checked.value.query.schema_errors, unknown: checked.warnings }
}

/** Without a readable body, the figures are those of the defaults. */
function schemaErrors(errors: ValidationMistake[], plan: Plan): CommandValidation {
  const effective = defaultLimits(plan)
  return {
    valid: false,
    commands: [],
    errors,
    warnings: [],
    effective: {
      vcpu_count: effective.vcpuCount,
      max_command_run_seconds: effective.maxRunSeconds,
    },
    plan_error: null,
  }
}

function isChain(request: unknown): boolean {
  const body = objectIn(fieldOf(request, 'body'))
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
  const requested = requestedLimits(body, plan)
  const effective = clampToPlan(plan, {
    vcpuCount: requested.vcpu_count,
    maxRunSeconds: requested.max_command_run_seconds,
  })
  const dry = result.ok ? dryRun(result.submission, effective.vcpuCount) : null
  return {
    valid: result.ok,
    commands: dry?.commands ?? [],
    errors: result.ok ? [] : result.mistakes.map(withEnd),
    warnings: [
      ...unknown,
      ...(result.ok ? result.warnings : []),
      ...(dry?.warnings ?? []),
      ...loweredTexts(requested, effective, planName),
      ...loweredTtl(body.output_ttl_seconds, plan, planName),
    ],
    effective: {
      vcpu_count: effective.vcpuCount,
      max_command_run_seconds: effective.maxRunSeconds,
    },
  }
}

/** An editor underlines a range. Refused submissions keep their fields, to which clients are used. */
function withEnd(mistake: ValidationMistake): ValidationMistake {
  const { token = null, position = null } = mistake.ctx ?? {}
  if (token === null || position === null) return mistake
  return { ...mistake, ctx: { token, position, end: position + Array.from(token).length } }
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
