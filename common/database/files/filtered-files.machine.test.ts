import { expect } from 'chai'
import { scaled } from '../../../testing/scale.ts'
import { openTestDatabase } from '../../../testing/support/database.ts'
import { rowsReadBy } from '../../../testing/support/rows-read.ts'
import { newId } from '../../../testing/store-contract/fixtures.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { filteredFiles } from './filtered-files.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'
import type { FileFilter } from '../../store/lists/file-filters.ts'

const ofEach = scaled({ smoke: 8_000, full: 500_000 })
const perInsert = 4_000

describe('lists and streams of an account with many files', function () {
  this.timeout(600_000)
  const accountId = newId()
  let opened: TestDatabase
  before(async () => {
    opened = await openTestDatabase()
    const store = createPostgresStore(opened.database)
    for (const id of [accountId, newId()]) {
      await store.ensureAccount({ accountId: id, name: `a${id}`, plan: 'pro' })
      await insert(id, 'fetched', ofEach, "'https://a.example/b'", "'STORED', 'x', 'video'")
      await insert(id, 'uploaded', ofEach, "'a.mp3'", "'STORED', 'x', 'audio'")
      await insert(id, 'rare', 3, "'b.mp4'", "'STORED', 'x', 'video'")
      await insert(id, 'open', 3, "'c.mp4'", "'QUEUED', null, null")
    }
    await opened.database.query('analyze', 'analyze')
  })
  after(() => opened.close())

  /** They are mixed in time with those of other kinds. @param facts status, error and type */
  async function insert(id: string, name: string, count: number, url: string, facts: string) {
    for (let from = 1; from <= count; from += perInsert) {
      await opened.database.query(
        name,
        `insert into files (file_id, account_id, store_type, status, original_file_url, key, size_bytes,
           is_private, media, created_at)
         select gen_random_uuid(), $1, 'STORED_FILE', f.status, ${url},
           f.key || gen_random_uuid(), 1, false,
           json_build_object('file_type', f.type),
           now() - interval '9 days' + make_interval(secs => n * ${ofEach} / ${count} + random())
         from generate_series($2::integer, $3::integer) n,
           (values (${facts})) f (status, key, type)`,
        [id, from, Math.min(count, from + perInsert - 1)],
      )
    }
  }

  const all: FileFilter = {
    ...{ accountId, status: null, kinds: null, types: null, commandId: null },
    ...{ createdAfter: null, createdBefore: null, beforeId: null, limit: 20, offset: 0 },
  }
  const read = (run: (files: ReturnType<typeof filteredFiles>) => Promise<unknown>) =>
    rowsReadBy(opened.database, (explaining) => run(filteredFiles(explaining)))
  const found = async (change: Partial<FileFilter>) =>
    (await filteredFiles(opened.database).filterFiles({ ...all, ...change })).length

  const rare = { kinds: ['upload'], types: ['video'] } as const
  for (const [what, change, count] of [
    ['of a kind', { kinds: ['url'] }, 20],
    ['of a type', { types: ['audio'] }, 20],
    ['of a kind and type that are frequent alone and rare together', rare, 3],
    ['of a kind in a rare state', { kinds: ['upload'], status: 'QUEUED' }, 3],
    ['in a state', { status: 'QUEUED' }, 3],
    ['of a command', { commandId: newId(), types: ['video'] }, 0],
    ['of all kinds', { kinds: ['output', 'upload', 'url'] }, 20],
  ] as const satisfies readonly [string, Partial<FileFilter>, number][]) {
    it(`reads a page ${what}, not the list`, async () => {
      expect(await found(change)).to.equal(count)
      expect(await read((files) => files.filterFiles({ ...all, ...change }))).to.be.below(300)
    })
  }

  it('reads a page behind half of the list, not what is in front', async () => {
    const [middle] = await opened.database.query<{ id: string }>(
      'middle',
      `select file_id as id from files where account_id = $1
       order by created_at desc, file_id desc offset $2 limit 1`,
      [accountId, ofEach],
    )
    const beforeId = middle?.id ?? ''
    for (const change of [{}, { kinds: ['url'] }, { types: ['video'] }] as const) {
      const filter = { ...all, ...change, beforeId }
      expect(await found({ ...change, beforeId })).to.equal(20)
      expect(await read((files) => files.filterFiles(filter))).to.be.below(300)
    }
  })

  it('reads what changes, not what is stored', async () => {
    expect(await read((files) => files.findLiveFiles([accountId], 500))).to.be.below(300)
  })
})
