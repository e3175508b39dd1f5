import { expect } from 'chai'
import { newCommand, newId } from '../../../testing/store-contract/fixtures.ts'
import { scaled } from '../../../testing/scale.ts'
import { openMovingDatabase } from '../../../testing/support/database.ts'
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
    opened = await openMovingDatabase()
    const store = createPostgresStore(opened.database)
    accountId = newId()
    await store.ensureAccount({ accountId, name: 'first', plan: 'pro' })
    const command = newCommand(accountId)
    ;({ commandId } = command)
    await store.insertCommands([command])
  })
  afterEach(() => opened.close())

  it(`reads its own attempts beside ${rows} that are swept, that fail and that are not due yet`, async () => {
    const insert = (kind: string, count: number, values: string) =>
      opened.fill(
        `insert into attempts (command_id, attempt, round, sweep_from, swept_at, sweep_tries, sweep_retry_at)
         select $1, '${kind}-' || n, 1, ${values} from generate_series(1, ${count}) n`,
        [commandId],
      )
    await insert('swept', rows, `now() - interval '1 day', now(), 0, null`)
    await insert('failing', rows, `now() - interval '1 day', null, 9, now() + n * interval '1 s'`)
    await insert('young', rows, `now() - interval '1 minute', null, 0, null`)
    await insert('due', rows, `now() - interval '1 hour', null, 0, null`)
    await insert('retry', 50, `now() - interval '1 day', null, 3, now() - interval '1 minute'`)
    await opened.fill('vacuum analyze')
    const sql = findSweepableSql.replaceAll('$1', '600').replaceAll('$2', `${limit}`)
    // Each attempt with its command and what its file and uploads say.
    expect(await rowsRead(opened.database, sql)).to.be.at.most(5 * limit)
  })

  it(`reads its own files beside ${rows} that are swept, that fail and that exist`, async () => {
    await opened.fill('alter table files disable trigger user')
    const insert = (kind: string, count: number, values: string) =>
      opened.fill(
        `insert into files (file_id, command_id, account_id, position, alias, key, size_bytes, media,
           is_private, deleted_at, swept_at, sweep_tries, sweep_retry_at)
         select gen_random_uuid(), $1, $2, 1, '${kind}-' || n, '${kind}-' || n, 1, '{}', false, ${values}
         from generate_series(1, ${count}) n`,
        [commandId, accountId],
      )
    await insert('stored', rows, 'null, null, 0, null')
    await insert('swept', rows, 'now(), now(), 0, null')
    await insert('failing', rows, `now(), null, 9, now() + n * interval '1 s'`)
    await insert('due', rows, 'now(), null, 0, null')
    await insert('retry', 50, `now(), null, 3, now() - interval '1 minute'`)
    await opened.fill('vacuum analyze')
    const sql = findSweepableFilesSql.replaceAll('$1', `${limit}`)
    expect(await rowsRead(opened.database, sql)).to.be.at.most(5 * limit)
  })
})
