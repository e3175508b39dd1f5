import type { Logger } from '../../runtime/logger.ts'
import type { Part } from '../../runtime/lifecycle.ts'
import type { Query } from './query.ts'

/**
 * A process that connects through a pooler cannot set the timeout of single statements, so the role has to
 * have one: a statement that hangs would otherwise hold one of the few connections of the pooler without end.
 * @param isPooled nothing is checked otherwise
 */
export function roleTimeouts(deps: {
  readonly query: Query
  readonly isPooled: boolean
  readonly logger: Logger
}): Part {
  return {
    name: 'role timeouts',
    async start() {
      if (!deps.isPooled) return
      const [role] = await deps.query<{ role: string; timeout: string }>(
        'role_timeouts',
        `select current_user as role, current_setting('statement_timeout') as timeout`,
      )
      if (role === undefined || role.timeout !== '0') return
      deps.logger.warn(
        'the role of the database has no statement_timeout, and a pooler sets none',
        {
          remedy: `ALTER ROLE "${role.role}" SET statement_timeout = '10s'`,
        },
      )
    },
    stop: async () => undefined,
  }
}
