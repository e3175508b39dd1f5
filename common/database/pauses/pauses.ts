import { lockAdmission } from './admission-lock.ts'
import type { Pause, PauseStore, PauseTarget } from '../../store/administration/pauses.ts'
import type { Database } from '../connection/query.ts'

/** Pauses by an administrator. */
export function pauses(database: Database): PauseStore {
  return {
    readPauses() {
      return database.query<Pause>(
        'read_pauses',
        `select what, account_id as "accountId", why, paused_at as "pausedAt" from pauses
         order by paused_at, what, account_id`,
      )
    },

    /** Takes the lock of admission: one that chose before this commit has committed before it, too. */
    pause(target, why) {
      return database.transaction(async (query) => {
        await lockAdmission(query)
        const { what, accountId } = columns(target)
        const changed = await query(
          'change_pause',
          `update pauses set why = $3
           where what = $1 and account_id is not distinct from $2 returning what`,
          [what, accountId, why],
        )
        if (changed.length > 0) return
        await query('pause', 'insert into pauses (what, account_id, why) values ($1, $2, $3)', [
          what,
          accountId,
          why,
        ])
      })
    },

    async resume(target) {
      const { what, accountId } = columns(target)
      const ended = await database.query(
        'resume',
        `delete from pauses where what = $1 and account_id is not distinct from $2 returning what`,
        [what, accountId],
      )
      return ended.length > 0
    },
  }
}

function columns(target: PauseTarget) {
  return { what: target.what, accountId: target.what === 'account' ? target.accountId : null }
}
