import { expect } from 'chai'
import { newCommand, newId } from '../../../testing/store-contract/fixtures.ts'
import { scaled } from '../../../testing/scale.ts'
import { openTestDatabase } from '../../../testing/support/database.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'
import { rowsRead } from '../../../testing/support/rows/rows-read.ts'
import { findSweepableFilesSql } from '../files/deleted-files.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { findSweepableSql } from './attempt-objects.ts'

const rows = scaled({ smoke: 20_000, full: 100_000 })
const limit = 200

describe('a page of the sweep', () => {
  let opened: TestDatabase
  let accountId: string
  let commandId: string
  beforeEach(async () => {
    opened = await openTestDatabase()
    const store = createPostgresStore(opened.database)
    accountId = newId()
    await store.ensureAccount({ accountId, name: 'first', plan: 'pro' })
    const command = newCommand(accountId)
    ;({ commandId } = command)
    await store.insertCommands([command])
  })
  afterEach(() => opened.close())

  it(`reads its own attempts beside ${rows} that are swept, that fail and that are not due yet`, async () => {
    const { query } = opened.database
    const insert = (kind: string, count: number, values: string) =>
      inBatches(count, (from, to) =>
        query(
          kind,
          `insert into attempts (command_id, attempt, round, sweep_from, swept_at, sweep_tries, sweep_retry_at)
           select $1, '${kind}-' || n, 1, ${values} from generate_series($2::integer, $3::integer) n`,
          [commandId, from, to],
        ),
      )
    await insert('swept', rows, `now() - interval '1 day', now(), 0, null`)
    await insert('failing', rows, `now() - interval '1 day', null, 9, now() + n * interval '1 s'`)
    await insert('young', rows, `now() - interval '1 minute', null, 0, null`)
    await insert('due', rows, `now() - interval '1 hour', null, 0, null`)
    await insert('retry', 50, `now() - interval '1 day', null, 3, now() - interval '1 minute'`)
    await query('analyze', 'analyze')
    const sql = findSweepableSql.replaceAll('$1', '600').replaceAll('$2', `${limit}`)
    const { rows: read, ms } = await rowsRead(opened.database, sql)
    console.log(`      ${read} rows, ${ms.toFixed(1)} ms`)
    // Each attempt with its command and what its file and uploads say.
    expect(read).to.be.at.most(5 * limit)
  })

  it(`reads its own files beside ${rows} that are swept, that fail and that exist`, async () => {
    const { query } = opened.database
    await query('triggers', 'alter table files disable trigger user')
    const insert = (kind: string, count: number, values: string) =>
      inBatches(count, (from, to) =>
        query(
          kind,
          `insert into files (file_id, command_id, account_id, position, alias, key, size_bytes, media,
             is_private, deleted_at, swept_at, sweep_tries, sweep_retry_at)
           select gen_random_uuid(), $1, $2, 1, '${kind}-' || n, '${kind}-' || n, 1, '{}', false, ${values}
           from generate_series($3::integer, $4::integer) n`,
          [commandId, accountId, from, to],
        ),
      )
    await insert('stored', rows, 'null, null, 0, null')
    await insert('swept', rows, 'now(), now(), 0, null')
    await insert('failing', rows, `now(), null, 9, now() + n * interval '1 s'`)
    await insert('due', rows, 'now(), null, 0, null')
    await insert('retry', 50, `now(), null, 3, now() - interval '1 minute'`)
    await query('analyze', 'analyze')
    const sql = findSweepableFilesSql.replaceAll('$1', `${limit}`)
    const { rows: read, ms } = await rowsRead(opened.database, sql)
    console.log(`      ${read} rows, ${ms.toFixed(1)} ms`)
    expect(read).to.be.at.most(5 * limit)
  })
})

/** Each statement ends within its timeout. */
async function inBatches(
  count: number,
  insert: (from: number, to: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 1; from <= count; from += 10_000) {
    await insert(from, Math.min(count, from + 9_999))
  }
}
