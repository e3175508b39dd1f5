import { timestamp } from '../../http/format.ts'
import { readLimit } from '../command/option-values.ts'
import { table, timeCell } from '../command/table.ts'
import type { AdminCommand } from '../command/admin-command.ts'

export const listActions: AdminCommand = {
  name: 'actions',
  summary: 'shows the changes that were made by these commands, the newest first',
  positionals: [],
  readsOnly: true,
  options: { limit: { value: 'N', summary: 'at most so many; default: 50' } },
  async run({ store, effects }, given) {
    const actions = await store.listAdminActions(readLimit(given.option('limit') ?? '50'))
    const rows = actions.map(({ doneAt, command, arguments: args, host }) => [
      timeCell(doneAt, effects.clock.wall()),
      [command, ...args].join(' '),
      host,
    ])
    return {
      text: rows.length === 0 ? 'No change was made.' : table(['DONE', 'COMMAND', 'POD'], rows),
      json: actions.map(({ doneAt, command, arguments: args, host }) => ({
        done_at: timestamp(doneAt),
        command,
        arguments: args,
        host,
      })),
    }
  },
}
