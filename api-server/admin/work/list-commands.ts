import { findAccount } from '../accounts/account-records.ts'
import { timestamp, timestampOrNull } from '../../http/format.ts'
import { readLimit } from '../command/option-values.ts'
import { AdminError } from '../command/admin-command.ts'
import { table, timeCell } from '../command/table.ts'
import type { AdminCommand } from '../command/admin-command.ts'
import type { CommandStatus } from '../../../common/domain/states.ts'

const statusesOf: Readonly<Record<string, readonly CommandStatus[]>> = {
  queued: ['QUEUED'],
  running: ['PROCESSING', 'PREPARED_FFMPEG_COMMAND'],
  failed: ['FAILED'],
  done: ['SUCCESS'],
}

export const listCommands: AdminCommand = {
  name: 'commands list',
  summary: 'shows the commands of an account, the newest first',
  positionals: ['ACCOUNT'],
  readsOnly: true,
  options: {
    status: { value: 'queued|running|failed|done', summary: 'which; default: all' },
    limit: { value: 'N', summary: 'at most so many; default: 50' },
  },
  async run(deps, given) {
    const { accountId, name } = await findAccount(deps, given.positional('ACCOUNT'))
    const found = await deps.store.filterCommands({
      accountId,
      statuses: statusesIn(given.option('status')),
      errorStatuses: null,
      createdAfter: null,
      createdBefore: null,
      metadata: null,
      search: null,
      beforeId: null,
      limit: readLimit(given.option('limit') ?? '50'),
      offset: 0,
    })
    const rows = found.map(({ commandId, status, createdAt, errorStatus }) => [
      commandId,
      status,
      timeCell(createdAt, deps.effects.clock.wall()),
      errorStatus ?? '',
    ])
    const header = ['COMMAND', 'STATUS', 'SUBMITTED', 'ERROR']
    return {
      text: rows.length === 0 ? `${name} has no such command.` : table(header, rows),
      json: found.map((one) => ({
        command_id: one.commandId,
        status: one.status,
        error_status: one.errorStatus,
        created_at: timestamp(one.createdAt),
        finished_at: timestampOrNull(one.finishedAt),
      })),
    }
  },
}

function statusesIn(status: string | null): readonly CommandStatus[] | null {
  if (status === null) return null
  const statuses = statusesOf[status]
  if (statuses !== undefined) return statuses
  const names = Object.keys(statusesOf).join(', ')
  throw new AdminError(`--status must be one of ${names}; got '${status}'`, 2)
}
