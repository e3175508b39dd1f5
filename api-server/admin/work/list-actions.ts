import { timestamp } from '../../http/format.ts'
import { readLimit } from '../command/option-values.ts'
import { table, timeCell } from '../command/table.ts'
import type { AdminCommand } from '../command/admin-command.ts'

const header = ['DONE', 'COMMAND', 'CLAIMED BY', 'POD']

export const listActions: AdminCommand = {
  name: 'actions',
  summary: 'shows the changes that were made by these commands, the newest first',
  positionals: [],
  readsOnly: true,
  options: { limit: { value: 'N', summary: 'at most so many; default: 50' } },
  async run({ store, effects }, given) {
    const actions = await store.listAdminActions(readLimit(given.option('limit') ?? '50'))
    const rows = actions.map(({ doneAt, command, arguments: args, host, claimedBy }) => [
      timeCell(doneAt, effects.clock.wall()),
      [command, ...args.map(quoted)].join(' '),
      claimedBy ?? '-',
      host,
    ])
    return {
      text: rows.length === 0 ? 'No change was made.' : table(header, rows),
      json: actions.map(({ doneAt, command, arguments: args, host, claimedBy }) => ({
        done_at: timestamp(doneAt),
        command,
        arguments: args,
        claimed_by: claimedBy,
        host,
      })),
    }
  },
}

function quoted(arg: string): string {
  return /^\S+$/.test(arg) ? arg : `'${arg}'`
}
