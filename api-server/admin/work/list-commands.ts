import { stateWords } from '../../../common/words/state-words.ts'
import { findAccount } from '../accounts/account-records.ts'
import { timestamp, timestampOrNull } from '../../http/format.ts'
import { readLimit } from '../command/option-values.ts'
import { AdminError } from '../command/admin-command.ts'
import { table, timeCell } from '../command/table.ts'
import type { AdminCommand } from '../command/admin-command.ts'

export const listCommands: AdminCommand = {
  name: 'commands list',
  summary: 'shows the commands of an account, the newest first',
  positionals: ['ACCOUNT'],
  readsOnly: true,
  options: {
    status: { value: 'queued|running|failed|cancelled|done', summary: 'default: all' },
    limit: { value: 'N', summary: 'at most so many; default: 50' },
  },
  async run(deps, given) {
    const { accountId, name } = await findAccount(deps, given.positional('ACCOUNT'))
    const found = await deps.store.filterCommands({
      accountId,
      ...whichIn(given.option('status')),
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

function whichIn(status: string | null) {
  if (status === null) return { statuses: null, errorStatuses: null }
  const which = stateWords[status]
  if (which !== undefined) return which
  const names = Object.keys(stateWords).join(', ')
  throw new AdminError(`--status must be one of ${names}; got '${status}'`, 2)
}
