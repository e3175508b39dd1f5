import { storableText } from '../connection/values.ts'
import type { AdminAction, AdminActionStore } from '../../store/administration/admin-actions.ts'
import type { Database } from '../connection/query.ts'

export function adminActions({ query }: Database): AdminActionStore {
  return {
    async recordAdminAction({ command, arguments: args, host, claimedBy }) {
      await query(
        'record_admin_action',
        'insert into admin_actions (command, arguments, host, claimed_by) values ($1, $2, $3, $4)',
        [command, storableText(JSON.stringify(args)), host, claimedBy],
      )
    },

    listAdminActions(limit) {
      return query<AdminAction>(
        'list_admin_actions',
        `select done_at as "doneAt", command, arguments, host, claimed_by as "claimedBy"
         from admin_actions order by action_id desc limit $1`,
        [limit],
      )
    },
  }
}
