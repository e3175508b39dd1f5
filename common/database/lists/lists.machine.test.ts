import { expect } from 'chai'
import { scaled } from '../../../testing/scale.ts'
import { useManyRows } from '../../../testing/support/rows/many-rows.ts'
import { rowsReadBy } from '../../../testing/support/rows/rows-read.ts'
import { listCommands } from '../commands/command-records.ts'
import { countQueuedSql } from '../commands/command-states.ts'
import { listFiles } from '../files/stored-files.ts'
import { queue } from '../limits/queue.ts'
import type { Query } from '../connection/query.ts'

const rows = scaled({ smoke: 20_000, full: 1_000_000 })
/** One in so many waits. */
const every = 10

describe('lists of an account with many rows', function () {
  this.timeout(600_000)
  const { store, accountId } = useManyRows([
    `insert into commands (command_id, account_id, command_type, source, original_request,
       vcpu_count, max_run_seconds, is_private, created_at, steps, status, error_status,
       error_message, finished_at, released_at)
     select gen_random_uuid(), $1, 'FFMPEG_COMMAND', '{}', '{}', 1, 60, false,
       now() - interval '9 days' + make_interval(secs => n), '[]',
       case when isQueued then 'QUEUED' else 'FAILED' end,
       case when not isQueued then 'CANCELLED' end, case when not isQueued then 'x' end,
       case when not isQueued then now() end, case when not isQueued then now() end
     from generate_series(1, ${rows}) n, lateral (select n % ${every} = 0 as isQueued) state`,
    `insert into files (file_id, account_id, store_type, status, original_file_url, key, size_bytes,
       is_private, created_at)
     select gen_random_uuid(), $1, 'STORED_FILE', 
       case when n % ${every} = 0 then 'QUEUED' else 'STORED' end,
       'https://a.example/b', gen_random_uuid()::text, 1, false,
       now() - interval '9 days' + make_interval(secs => n)
     from generate_series(1, ${rows}) n`,
  ])

  const limit = 20
  const read = (run: (query: Query) => Promise<unknown>) =>
    rowsReadBy(store.database, ({ query }) => run(query))

  it('lists read what is in front of a page in the index, and the rows of the page alone', async () => {
    for (const offset of [0, 100, rows / every - limit]) {
      const page = { accountId, limit, offset }
      for (const [name, run] of [
        ['commands', (query: Query) => listCommands(query, { ...page, status: null })],
        ['QUEUED', (query: Query) => listCommands(query, { ...page, status: 'QUEUED' })],
        ['files', (query: Query) => listFiles(query, { ...page, status: null })],
        ['STORED', (query: Query) => listFiles(query, { ...page, status: 'STORED' })],
      ] as const) {
        expect(await read(run), `${name} at ${offset}`).to.equal(offset + 2 * limit)
      }
    }
  })

  it('lists read no row of another state to find that no command runs', async () => {
    const page = { accountId, limit, offset: 0 }
    const rowsOf = await read((query) => listCommands(query, { ...page, status: 'PROCESSING' }))
    expect(rowsOf).to.equal(0)
  })

  it('lists read the waiting rows alone to count them', async () => {
    for (const list of ['commands', 'files'] as const) {
      const counted = await read((query) =>
        queue({ ...store.database, query }).readQueue(accountId, list),
      )
      expect(counted, list).to.be.within(rows / every, rows / every + 1)
    }
    const [oldest] = await store.query<{ id: string }>(
      'oldest',
      `select command_id as id from commands where account_id = $1 and status = 'QUEUED'
       order by created_at offset 99 limit 1`,
      [accountId],
    )
    const place = await read((query) =>
      query('count_queued', countQueuedSql, [accountId, oldest?.id]),
    )
    expect(place).to.be.within(100, 101)
  })
})
