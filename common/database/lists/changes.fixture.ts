import fc from 'fast-check'
import { systemEffects } from '../../runtime/system-effects.ts'
import type { Database, Query } from '../connection/query.ts'

const effects = systemEffects()
const newId = (): string => effects.newId()

/** One transaction of a history; `nth` selects one of the rows that exist by then. */
export type Change =
  | { readonly kind: 'submit' | 'store'; readonly of: readonly { account: number; age: number }[] }
  | { readonly kind: 'claim' | 'progress'; readonly nth: number }
  | { readonly kind: 'end'; readonly nth: number; readonly files: number | null }
  | { readonly kind: 'file'; readonly nth: number; readonly status: string }
  | { readonly kind: 'delete' | 'purge'; readonly nth: number; readonly count: number }

const nth = fc.nat({ max: 20 })
const count = fc.integer({ min: 1, max: 6 })
const rows = fc.array(
  // Few ages, so that many rows are equally old, and in any order, as late commits make them.
  fc.record({ account: fc.nat({ max: 1 }), age: fc.nat({ max: 12 }) }),
  { minLength: 1, maxLength: 8 },
)

export const changes: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('submit' as const), of: rows }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('store' as const), of: rows }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('claim' as const), nth }) },
  fc.record({ kind: fc.constant('progress' as const), nth }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      nth,
      files: fc.option(fc.nat({ max: 5 })),
    }),
  },
  fc.record({
    kind: fc.constant('file' as const),
    nth,
    status: fc.constantFrom('DOWNLOADING', 'DOWNLOADED', 'UPLOADED', 'STORED', 'FAILED'),
  }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), nth, count }) },
  fc.record({ kind: fc.constant('purge' as const), nth, count }),
)

export async function newAccount(query: Query): Promise<string> {
  const accountId = newId()
  await query(
    'new_account',
    `insert into accounts (account_id, name, plan) values ($1::uuid, 'a' || $1::text, 'pro')`,
    [accountId],
  )
  return accountId
}

/** Commands of this account, all in one statement. */
export async function submit(query: Query, accountId: string, number: number): Promise<void> {
  await query(
    'submit',
    `insert into commands (${submitted}) select i, $2::uuid, ${work} from unnest($1::uuid[]) i`,
    [Array.from({ length: number }, newId), accountId],
  )
}

const submitted = `command_id, account_id, command_type, source, original_request, vcpu_count,
  max_run_seconds, is_private, steps`
const work = `'FFMPEG_COMMAND', '{}', '{}', 1, 60, false, '[]'`

export async function runChange(
  database: Database,
  accounts: readonly string[],
  change: Change,
): Promise<void> {
  const { query } = database
  switch (change.kind) {
    case 'submit':
    case 'store': {
      const statement = change.kind === 'submit' ? submitAged : storeAged
      const of = change.of.map(({ account }) => accounts[account])
      const ages = change.of.map(({ age }) => age)
      await query(`change_${change.kind}`, statement, [change.of.map(newId), of, ages])
      return
    }
    case 'claim':
    case 'progress':
      await query(`change_${change.kind}`, change.kind === 'claim' ? claim : progress, [
        accounts,
        change.nth,
      ])
      return
    case 'end': {
      const values = [accounts, change.nth, change.files !== null]
      await query('change_end', end, [
        ...values,
        Array.from({ length: change.files ?? 0 }, () => newId()),
      ])
      return
    }
    case 'file':
      await query('change_file', fileStatus, [accounts, change.nth, change.status])
      return
    case 'delete':
    case 'purge':
      await database.transaction(async (within) => {
        const chosen = await within<{ id: string }>('change_choose', choose, [
          accounts,
          change.nth,
          change.count,
        ])
        await within(`change_${change.kind}`, change.kind === 'delete' ? remove : purge, [
          chosen.map(({ id }) => id),
        ])
      })
  }
}

const aged = `timestamptz '2026-05-01' - make_interval(secs => age)`
const submitAged = `
  insert into commands (${submitted}, created_at)
  select id, account_id, ${work}, ${aged}
  from unnest($1::uuid[], $2::uuid[], $3::integer[]) s (id, account_id, age)`

const storeAged = `
  insert into files (file_id, account_id, store_type, status, original_file_url, is_private, created_at)
  select id, account_id, 'STORED_FILE', 'QUEUED', 'https://media.example/a.mp4', false, ${aged}
  from unnest($1::uuid[], $2::uuid[], $3::integer[]) s (id, account_id, age)`

function oneOf(condition: string): string {
  return `command_id = (
    select command_id from commands where account_id = any($1::uuid[]) and ${condition}
    order by command_id offset $2 limit 1 for update skip locked
  ) and ${condition}`
}

const claim = `
  update commands set status = 'PROCESSING', stage = 'DOWNLOADING', attempts = 1, attempt = 'pod',
    started_at = now(), admitted_at = now(), round = 1
  where ${oneOf(`status = 'QUEUED'`)}`

const progress = `
  update commands set status = case stage
      when 'DOWNLOADING' then 'PREPARED_FFMPEG_COMMAND' else 'PROCESSING' end,
    stage = case stage
      when 'DOWNLOADING' then 'PREPARING_INPUT_FILES' else 'FFMPEG_PROCESSING' end
  where ${oneOf(`stage is not null`)}`

const end = `
  with ended as (
    update commands set stage = null, finished_at = now(),
      status = case when $3 and attempt is not null then 'SUCCESS' else 'FAILED' end,
      progress_percent = case when $3 and attempt is not null then 100 end,
      error_status = case when $3 and attempt is not null then null else 'CANCELLED' end,
      error_message = case when $3 and attempt is not null then null else 'Cancelled' end
    where ${oneOf('finished_at is null')}
    returning command_id, account_id, status
  )
  insert into files (file_id, command_id, account_id, alias, key, size_bytes, is_private)
  select id, command_id, account_id, 'out_1', id::text, 1, false
  from ended, unnest($4::uuid[]) id where status = 'SUCCESS'`

const fileStatus = `
  update files set status = $3, key = file_id::text, size_bytes = 1,
    error_status = case when $3 = 'FAILED' then 'CANCELLED' end,
    error_message = case when $3 = 'FAILED' then 'Cancelled' end
  where file_id = (
    select file_id from files
    where account_id = any($1::uuid[]) and deleted_at is null and status not in ('STORED', 'FAILED')
    order by file_id offset $2 limit 1 for update skip locked
  )`

const choose = `
  select file_id as id from (
    select file_id from files where account_id = any($1::uuid[]) and deleted_at is null
    order by file_id offset $2 limit $3
  ) chosen join files using (file_id) order by file_id for update of files`
const remove = `update files set deleted_at = now()
  where file_id = any($1::uuid[]) and deleted_at is null`
const purge = 'delete from files where file_id = any($1::uuid[])'
