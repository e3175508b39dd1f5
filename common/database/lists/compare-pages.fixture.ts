import { expect } from 'chai'
import { commandStatuses, fileStatuses } from '../../domain/states.ts'
import { listCommands } from '../commands/command-records.ts'
import { listFiles } from '../files/stored-files.ts'
import type { Query } from '../connection/query.ts'

/** Buckets and groups whose counts differ from the number of their rows. */
export function miscounted(
  query: Query,
  accounts: readonly string[],
): Promise<Record<string, unknown>[]> {
  return query('miscounted', `${buckets} union all ${groups}`, [accounts])
}

const counters = ['queued', 'downloading', 'downloaded', 'uploaded', 'stored', 'success', 'failed']

const buckets = `
  select 'bucket' as kind, b.list, b.after_created_at, b.after_id, b.listed, real.listed as real
  from (
    select *, lead(after_created_at, 1, 'infinity') over ascending as upto_created_at,
      lead(after_id, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff') over ascending as upto_id
    from list_buckets where account_id = any($1::uuid[])
    window ascending as (partition by account_id, list order by after_created_at, after_id)
  ) b cross join lateral (
    select count(*) as listed,
      ${counters.map((one) => `count(*) filter (where status = '${one.toUpperCase()}') as ${one}`).join(', ')}
    from listed_rows l
    where l.account_id = b.account_id and l.list = b.list
      and (l.created_at, l.id) > (b.after_created_at, b.after_id)
      and (l.created_at, l.id) <= (b.upto_created_at, b.upto_id)
  ) real
  where (b.listed, ${counters.map((one) => `b.${one}`).join(', ')})
    is distinct from (real.listed, ${counters.map((one) => `real.${one}`).join(', ')})`

const groups = `
  select 'group', g.list, g.after_created_at, g.after_id, g.listed, sum(b.listed)
  from list_groups g join list_buckets b
    on b.account_id = g.account_id and b.list = g.list and b.grouped
    and (b.after_created_at, b.after_id) >= (g.after_created_at, g.after_id)
    and (b.after_created_at, b.after_id) <= (g.last_created_at, g.last_id)
  where g.account_id = any($1::uuid[])
  group by g.account_id, g.list, g.after_created_at, g.after_id
  having (g.listed, ${counters.map((one) => `g.${one}`).join(', ')})
    is distinct from (sum(b.listed), ${counters.map((one) => `sum(b.${one})`).join(', ')})`

/** Compares one page of each list, with each status, with the result of LIMIT and OFFSET. */
export async function comparePages(
  query: Query,
  page: { accountId: string; limit: number; offset: number },
): Promise<void> {
  for (const status of [null, ...commandStatuses]) {
    const found = (await listCommands(query, { ...page, status })).map((one) => one.commandId)
    expect(found, label('commands', status, page)).to.deep.equal(
      await plainPage(query, plainCommands, { ...page, status }),
    )
  }
  for (const status of [null, ...fileStatuses]) {
    const found = (await listFiles(query, { ...page, status })).map((one) => one.fileId)
    expect(found, label('files', status, page)).to.deep.equal(
      await plainPage(query, plainFiles, { ...page, status }),
    )
  }
}

const plainCommands = `
  select command_id as id from commands
  where account_id = $1 and command_type <> 'STORED_FILE' and ($2::text is null or status = $2)
  order by created_at desc, command_id desc limit $3 offset $4`

const plainFiles = `
  select file_id as id from files
  where account_id = $1 and deleted_at is null and ($2::text is null or status = $2)
  order by created_at desc, file_id desc limit $3 offset $4`

async function plainPage(
  query: Query,
  statement: string,
  page: { accountId: string; status: string | null; limit: number; offset: number },
): Promise<string[]> {
  const { accountId, status, limit, offset } = page
  const name = statement === plainCommands ? 'plain_commands' : 'plain_files'
  const rows = await query<{ id: string }>(name, statement, [accountId, status, limit, offset])
  return rows.map(({ id }) => id)
}

function label(list: string, status: string | null, { limit, offset }: Record<string, unknown>) {
  return `${list} ${status ?? 'all'} limit ${String(limit)} offset ${String(offset)}`
}
