import { isEndedByOwner } from '../webhooks/former-url.ts'
import type {
  DeadLetter,
  DeadLetterKind,
  DeadLetterStore,
} from '../../store/administration/dead-letters.ts'
import type { Database } from '../connection/query.ts'

export function deadLetters({ query }: Database): DeadLetterStore {
  return {
    /**
     * Locks nothing. The rows of commands and sweeps are in indexes of what is open; deliveries that failed are found
     * among those of 30 days.
     */
    listDeadLetters({ kind, accountId, limit }) {
      return query<DeadLetter>('list_dead_letters', all, [kind, accountId, null, limit])
    },

    async findDeadLetter(id) {
      const [letter] = await query<DeadLetter>('list_dead_letters', all, [null, null, id, 1])
      return letter ?? null
    },

    /** Locks the row. */
    retryDeadLetter: ({ kind, id }) => changed(`retry_${kind}`, retries[kind], id),

    /** Locks the row. */
    dropDeadLetter: ({ kind, id }) => changed(`drop_${kind}`, drops[kind], id),
  }

  async function changed(
    name: string,
    statements: readonly string[],
    id: string,
  ): Promise<boolean> {
    let rows = 0
    for (const [index, statement] of statements.entries()) {
      rows += (await query(`${name}_${index}`, statement, [id])).length
    }
    return rows > 0
  }
}

const isRefused =
  'c.dispatch_error is not null and c.dispatched_at is null and c.finished_at is null'
/** The rest of a lost playlist waits without a failed try. */
const isStuck = (row = ''): string =>
  `${row}sweep_retry_at is not null and ${row}sweep_tries > 0 and ${row}swept_at is null`

/** A letter; the account is `a` in every statement. */
const columns = (letter: Record<keyof Omit<DeadLetter, 'account'>, string>): string =>
  `select ${Object.entries(letter)
    .map(([name, sql]) => `${sql} as "${name}"`)
    .join(', ')}, a.name as account`

/** $2 is the account, $3 the id; null: any. */
const isWanted = (id: string): string =>
  `($2::uuid is null or a.account_id = $2) and ($3::text is null or ${id} = $3)`

const selects: Readonly<Record<DeadLetterKind, string>> = {
  dispatch: `${columns({
    kind: "'dispatch'",
    id: 'c.command_id::text',
    since: 'coalesce(c.dispatch_error_since, c.created_at)',
    tries: 'c.dispatch_tries',
    retryAt: 'c.dispatch_retry_at',
    problem: 'c.dispatch_error',
    target: "'command ' || c.command_id",
  })} from commands c join accounts a using (account_id)
    where ${isRefused} and ${isWanted('c.command_id::text')}`,
  sweep: `${columns({
    kind: "'sweep'",
    id: 's.id',
    since: 's.since',
    tries: 's.sweep_tries',
    retryAt: 's.sweep_retry_at',
    problem: 'null::text',
    target: 's.target',
  })} from (
      select c.account_id, t.attempt::text as id, t.sweep_from as since, t.sweep_tries, t.sweep_retry_at,
        'attempt ' || t.attempt || ' of command ' || t.command_id as target
      from attempts t join commands c using (command_id) where t.sweep_from is not null and ${isStuck('t.')}
      union all
      select f.account_id, f.file_id::text, coalesce(f.deleted_at, f.created_at), f.sweep_tries, f.sweep_retry_at,
        coalesce(f.key, f.original_file_url, f.file_id::text)
      from files f where ${isStuck('f.')}
        and (f.deleted_at is not null or f.status = 'FAILED')
    ) s join accounts a using (account_id)
    where ${isWanted('s.id')}`,
  delivery: `${columns({
    kind: "'delivery'",
    id: 'd.delivery_id::text',
    since: 'd.created_at',
    tries: 'jsonb_array_length(d.attempts)',
    retryAt: 'null::timestamptz',
    problem:
      "coalesce(d.attempts -> -1 ->> 'error', 'the receiver answered ' || (d.attempts -> -1 ->> 'response_status'))",
    target: 'd.url',
  })} from webhook_deliveries d join accounts a using (account_id)
    where d.status = 'FAILED' and not ${isEndedByOwner('d')} and ${isWanted('d.delivery_id::text')}`,
}

/** $1 is the kind, $4 the limit. */
const all = Object.entries(selects)
  .map(
    ([kind, select]) =>
      `(select * from (${select}) ${kind} where $1::text is null or $1 = '${kind}' order by since, id limit $4)`,
  )
  .join(' union all ')

/** $1 is the id. */
const retries: Readonly<Record<DeadLetterKind, readonly string[]>> = {
  dispatch: [
    `update commands c set dispatch_retry_at = now() where command_id::text = $1 and ${isRefused}
     returning command_id`,
  ],
  sweep: [
    `update attempts set sweep_retry_at = now() where attempt::text = $1 and ${isStuck()} returning attempt`,
    `update files set sweep_retry_at = now() where file_id::text = $1 and ${isStuck()} returning file_id`,
  ],
  // A delivery that an account sends again does the same: a failure is final.
  delivery: [
    `update webhook_deliveries set status = 'PENDING', resent = true, next_attempt_at = now(), leased_until = null
     where delivery_id::text = $1 and status = 'FAILED' returning delivery_id`,
  ],
}

/** $1 is the id. */
const drops: Readonly<Record<'sweep' | 'delivery', readonly string[]>> = {
  sweep: [
    `update attempts set swept_at = now() where attempt::text = $1 and ${isStuck()} returning attempt`,
    `update files set swept_at = now() where file_id::text = $1 and ${isStuck()} returning file_id`,
  ],
  delivery: [
    `delete from webhook_deliveries where delivery_id::text = $1 and status = 'FAILED' returning delivery_id`,
  ],
}
