import { AdminError } from '../command/admin-command.ts'
import { clampToPlan, planOf } from '../../../common/domain/plans.ts'
import { mostReservedBytes } from '../../../common/domain/quota.ts'
import type { AdminCommand } from '../command/admin-command.ts'
import type { Plan } from '../../../common/domain/plans.ts'
import type { NewCommand } from '../../../common/store/commands.ts'
import type { ReconcileRow } from '../../../common/store/reconcile.ts'

const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

export const requeueCommand: AdminCommand = {
  name: 'commands requeue',
  summary: 'submits a FAILED command again, as its account did, under a new id',
  positionals: ['COMMAND_ID'],
  options: {},
  async run({ store, plans, newId }, given) {
    const id = given.positional('COMMAND_ID')
    const row = isId.test(id) ? await store.findForReconcile(id) : null
    if (row === null) throw new AdminError(`no command has the id '${id}'`)
    const commandId = newId()
    await store.insertCommands([
      {
        ...asSubmitted(row, planOf(plans, { plan: row.accountPlan, limits: row.accountLimits })),
        commandId,
      },
    ])
    return {
      text: `Command ${commandId} repeats ${id}.`,
      json: { command_id: commandId, repeats: id, account: row.accountName },
    }
  },
}

/** The plan of the account is that of today: it may have been lowered since. @throws AdminError */
function asSubmitted(row: ReconcileRow, plan: Plan): NewCommand {
  const { commandId, accountId, environmentName, commandType, source, originalRequest } = row
  const { metadata, vcpuCount, maxRunSeconds, isPrivate, outputTtlSeconds } = row
  const { presignedTtlSeconds, webhookUrl } = row
  if (row.status !== 'FAILED' || commandType === 'STORED_FILE') {
    const what = commandType === 'STORED_FILE' ? 'a stored file' : row.status
    throw new AdminError(`'${commandId}' is ${what}: only a FAILED command is submitted again`)
  }
  return {
    commandId,
    accountId,
    environmentName,
    commandType,
    source,
    originalRequest,
    metadata,
    isPrivate,
    outputTtlSeconds,
    presignedTtlSeconds,
    webhookUrl,
    ...clampToPlan(plan, { vcpuCount, maxRunSeconds }),
    mostReservedBytes: mostReservedBytes(plan),
    priority: row.priority,
  }
}
