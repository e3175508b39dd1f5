import { storableText } from '../connection/values.ts'
import type { AdminAction, AdminActionStore } from '../../store/administration/admin-actions.ts'
import type { Database } from '../connection/query.ts'

export function adminActions({ query }: Database): AdminActionStore {
  return {
    async recordAdminAction({ command, arguments: args, host }) {
      await query(
        'record_admin_action',
        'insert into admin_actions (command, arguments, host) values ($1, $2, $3)',
        [command, storableText(JSON.stringify(args)), host],
      )
    },

    listAdminActions(limit) {
      return query<AdminAction>(
        'list_admin_actions',
        `select done_at as "doneAt", command, arguments, host from admin_actions
         order by action_id desc limit $1`,
        [limit],
      )
    },
  }
}
