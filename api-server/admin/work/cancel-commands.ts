import { stopCommand } from '../../commands/follow/stop-command.ts'
import { findAccount } from '../accounts/account-records.ts'
import { AdminError } from '../command/admin-command.ts'
import type { AdminCommand, AdminDeps } from '../command/admin-command.ts'
import type { CommandStatus } from '../../../common/domain/states.ts'

const unfinished = {
  queued: ['QUEUED'],
  running: ['PROCESSING', 'PREPARED_FFMPEG_COMMAND'],
  all: ['QUEUED', 'PROCESSING', 'PREPARED_FFMPEG_COMMAND'],
} as const satisfies Readonly<Record<string, readonly CommandStatus[]>>

const pageSize = 500

export const cancelCommands: AdminCommand = {
  name: 'commands cancel-all',
  summary: 'requests the cancellation of all commands of an account that have not ended',
  positionals: ['ACCOUNT'],
  options: {
    status: { value: 'queued|running|all', summary: 'which; default: all' },
    confirm: { value: 'NAME', summary: "the account's name once more; without it, it only counts" },
  },
  readsOnly: true,
  changesWith: 'confirm',
  canRehearse: true,
  async run(deps, given) {
    const { accountId, name } = await findAccount(deps, given.positional('ACCOUNT'))
    const confirmed = given.option('confirm')
    if (confirmed !== null && confirmed !== name) {
      throw new AdminError(
        `--confirm must be the name of the account, '${name}'; got '${confirmed}'`,
      )
    }
    const ids = await commandsOf(deps, accountId, statusesIn(given.option('status') ?? 'all'))
    if (confirmed !== null) for (const id of ids) await stopCommand(deps, id, 'administrator')
    const text =
      confirmed === null
        ? `${ids.length} commands would be cancelled. Add --confirm ${name} to cancel them.`
        : `${ids.length} commands are cancelled: those that run end within seconds.`
    return { text, json: { account: name, commands: ids.length, cancelled: confirmed !== null } }
  },
}

function statusesIn(status: string): readonly CommandStatus[] {
  if (status === 'queued' || status === 'running' || status === 'all') return unfinished[status]
  throw new AdminError(`--status must be queued, running or all; got '${status}'`, 2)
}

async function commandsOf(
  { store }: AdminDeps,
  accountId: string,
  statuses: readonly CommandStatus[],
): Promise<string[]> {
  const found: string[] = []
  for (;;) {
    const page = await store.filterCommands({
      accountId,
      statuses,
      errorStatuses: null,
      createdAfter: null,
      createdBefore: null,
      metadata: null,
      search: null,
      beforeId: found.at(-1) ?? null,
      limit: pageSize,
      offset: 0,
    })
    found.push(...page.map(({ commandId }) => commandId))
    if (page.length < pageSize) return found
  }
}
