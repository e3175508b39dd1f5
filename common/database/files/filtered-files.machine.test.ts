import { expect } from 'chai'
import { scaled } from '../../../testing/scale.ts'
import { useManyRows } from '../../../testing/support/rows/many-rows.ts'
import { rowsReadBy } from '../../../testing/support/rows/rows-read.ts'
import { newId } from '../../../testing/store-contract/fixtures.ts'
import { filteredFiles } from './filtered-files.ts'
import type { FileFilter } from '../../store/lists/file-filters.ts'

const ofEach = scaled({ smoke: 8_000, full: 500_000 })

/** They are mixed in time with those of other kinds. @param facts status, key and type */
const filesOf = (url: string, facts: string, count = ofEach): string => `
  insert into files (file_id, account_id, store_type, status, original_file_url, key, size_bytes,
    is_private, media, created_at)
  select gen_random_uuid(), $1, 'STORED_FILE', f.status, ${url},
    f.key || gen_random_uuid(), 1, false,
    json_build_object('file_type', f.type),
    now() - interval '9 days' + make_interval(secs => n * ${ofEach / count} + random())
  from generate_series(1, ${count}) n,
    (values (${facts})) f (status, key, type)`

describe('lists and streams of an account with many files', function () {
  this.timeout(600_000)
  const { store, accountId } = useManyRows([
    filesOf("'https://a.example/b'", "'STORED', 'x', 'video'"),
    filesOf("'a.mp3'", "'STORED', 'x', 'audio'"),
    filesOf("'b.mp4'", "'STORED', 'x', 'video'", 3),
    filesOf("'c.mp4'", "'QUEUED', null, null", 3),
  ])

  const all: FileFilter = {
    accountId,
    status: null,
    kinds: null,
    types: null,
    commandId: null,
    createdAfter: null,
    createdBefore: null,
    beforeId: null,
    limit: 20,
    offset: 0,
  }
  const read = (run: (files: ReturnType<typeof filteredFiles>) => Promise<unknown>) =>
    rowsReadBy(store.database, (explaining) => run(filteredFiles(explaining)))
  const found = async (change: Partial<FileFilter>) =>
    (await filteredFiles(store.database).filterFiles({ ...all, ...change })).length

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
    const [middle] = await store.query<{ id: string }>(
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

  it('finds previews by the commands of a page, not in the list of files', async () => {
    const ids = Array.from({ length: 50 }, newId)
    expect(await read((files) => files.findPreviews(accountId, ids))).to.be.below(300)
  })

  it('reads what changes, not what is stored', async () => {
    expect(await read((files) => files.findLiveFiles([accountId], 500))).to.be.below(300)
  })
})
