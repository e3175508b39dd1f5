import { expect } from 'chai'
import { scaled } from '../../../testing/scale.ts'
import { useManyRows } from '../../../testing/support/rows/many-rows.ts'
import { rowsReadBy } from '../../../testing/support/rows/rows-read.ts'
import { filteredCommands } from './filtered-commands.ts'
import { mostSearched } from './searched-commands.ts'
import { countedPositions } from './queue-position.ts'

const ofEach = scaled({ smoke: 8_000, full: 250_000 })

/** They are mixed in time with those of other states. */
const commandsOf = (end: string): string => `
  insert into commands (command_id, account_id, command_type, source, original_request,
    vcpu_count, max_run_seconds, is_private, created_at, steps, dispatched_at,
    status, error_status, error_message, progress_percent, finished_at, released_at)
  select gen_random_uuid(), $1, 'FFMPEG_COMMAND', '{"commands": ["-i"]}', '{}', 1, 60, false,
    now() - interval '9 days' + make_interval(secs => n + random()), '[{}]',
    case when n % 2 = 0 then now() end, ${end}
  from generate_series(1, ${ofEach}) n`

describe('lists and streams of an account with many commands', function () {
  this.timeout(600_000)
  const { store, accountId } = useManyRows([
    commandsOf("'FAILED', 'FFMPEG_FAILED', 'x', null, now(), now()"),
    commandsOf("'QUEUED', null, null, null, null, null"),
  ])

  const all = {
    accountId,
    statuses: null,
    errorStatuses: null,
    createdAfter: null,
    createdBefore: null,
    metadata: null,
    search: null,
    beforeId: null,
    limit: 20,
    offset: 0,
  }
  const read = (run: (commands: ReturnType<typeof filteredCommands>) => Promise<unknown>) =>
    rowsReadBy(store.database, (explaining) => run(filteredCommands(explaining)))

  async function idAt(place: number): Promise<string> {
    const [row] = await store.query<{ id: string }>(
      'at',
      `select command_id as id from commands where account_id = $1
       order by created_at desc, command_id desc offset $2 limit 1`,
      [accountId, place],
    )
    return row?.id ?? ''
  }

  for (const [name, filter] of [
    ['all states', {}],
    ['several states', { statuses: ['QUEUED', 'PROCESSING', 'FAILED'] }],
    ['a kind of failure', { statuses: ['FAILED'], errorStatuses: ['FFMPEG_FAILED'] }],
    ['a rare kind of failure', { errorStatuses: ['DISK_FULL', 'OUT_OF_MEMORY'] }],
    [
      'a span of time',
      { createdAfter: '2020-01-01T00:00:00Z', createdBefore: '2040-01-01T00:00:00Z' },
    ],
  ] as const) {
    it(`reads a page of each state for a list of ${name}, at any depth`, async () => {
      for (const place of [0, 100, 2 * ofEach - 50]) {
        const beforeId = await idAt(place)
        const rows = await read((commands) =>
          commands.filterCommands({ ...all, ...filter, beforeId }),
        )
        // Four pages, the command at which the page begins, and the files of each command.
        expect(rows, `${name} at ${place}`).to.be.at.most(4 * all.limit + 4 + 2 * all.limit)
      }
    })
  }

  it('reads a bounded number of commands for a search that finds nothing', async () => {
    const rows = await read((commands) =>
      commands.filterCommands({ ...all, search: 'nowhere', statuses: ['FAILED'] }),
    )
    // The rows of the index's scan, and none of a page that is empty.
    expect(rows).to.be.at.most(mostSearched + 10)
  })

  it('expands a page with the front of one queue', async () => {
    const ids = await Promise.all([0, 1, 2].map(idAt))
    const rows = await read((commands) => commands.expandCommands(accountId, ids, true))
    expect(rows).to.be.at.most(2 * countedPositions + ids.length + 2)
  })

  it('reads the newest of each unfinished state and the front of the queue for the stream of events', async () => {
    const rows = await read((commands) => commands.findLive([accountId], 500))
    expect(rows).to.be.at.most(500 + 2 * countedPositions + 10)
  })
})
