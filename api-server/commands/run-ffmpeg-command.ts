import { clampToPlan, planOf } from '../../common/plans.ts'
import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import { submissionFrom } from './submission.ts'
import type { Effects } from '../../common/effects.ts'
import type { Plans } from '../../common/plans.ts'
import type { AuthenticatedKey } from '../../common/store/accounts.ts'
import type { NewCommand } from '../../common/store/commands.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { RunFfmpegCommandBody } from '../openapi-types.ts'
import type { Submit } from './submit.ts'

interface Deps {
  readonly effects: Effects
  readonly plans: Plans
  readonly submit: Submit
}

/** `POST /v1/run-ffmpeg-command`: answers once the command is stored; it will run then. */
export function runFfmpegCommand({ effects, plans, submit }: Deps): Endpoint {
  return endpoint('runFfmpegCommand', async ({ body }, { key, fields, newId }) => {
    const command = await effects.failpoint('api.validated', async () =>
      newCommand(newId(), body, key, plans),
    )
    fields['command_id'] = command.commandId
    await submit(command)
    return { status: 200, body: { command_id: command.commandId } }
  })
}

/** @throws Refusal 422 for the command's text, 403 where account or plan do not allow it */
function newCommand(
  commandId: string,
  body: RunFfmpegCommandBody,
  { account, environmentName }: AuthenticatedKey,
  plans: Plans,
): NewCommand {
  const result = submissionFrom(body)
  if (!result.ok) throw refusal(422, result.mistakes)
  if (account.suspended) throw refusal(403, 'The account is suspended')
  const plan = planOf(plans, account.plan)
  if (body.is_private && !plan.private) {
    throw refusal(403, `Plan '${account.plan}' does not include private outputs`)
  }
  const { source, originalRequest } = result.submission
  return {
    commandId,
    accountId: account.accountId,
    environmentName,
    commandType: 'FFMPEG_COMMAND',
    source,
    originalRequest: { ...originalRequest },
    metadata: body.metadata ?? null,
    isPrivate: body.is_private,
    ...clampToPlan(plan, {
      vcpuCount: body.vcpu_count,
      maxRunSeconds: body.max_command_run_seconds,
    }),
  }
}
