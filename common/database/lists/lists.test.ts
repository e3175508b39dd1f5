import { expect } from 'chai'
import { useStore } from '../../../testing/support/database.ts'
import { newCommand } from '../../../testing/store-contract/fixtures.ts'
import { commandStatuses, fileStatuses } from '../../domain/states.ts'

const pages = [
  { limit: 1, offset: 0 },
  { limit: 7, offset: 3 },
  { limit: 1_000, offset: 0 },
  { limit: 1_000, offset: 11 },
  { limit: 5, offset: 10_000 },
]

describe('lists by offset', () => {
  const store = useStore()
  let accountId = ''
  before(async () => {
    accountId = await store.newAccount()
    for (const owner of [accountId, await store.newAccount()]) {
      await store.fill(commandsOfAllStates, [owner])
      await store.fill(filesOfAllStates, [owner])
    }
  })

  it('lists by offset equal LIMIT and OFFSET over all commands, with each status, also behind the end', async () => {
    for (const status of [null, ...commandStatuses]) {
      for (const page of pages) {
        const found = await store.listCommands({ accountId, status, ...page })
        const expected = await plainPage(plainCommands, status, page)
        expect(found.map((each) => each.commandId)).to.deep.equal(expected)
        if (page.offset === 0) expect(expected).not.to.deep.equal([])
      }
    }
  })

  it('lists by offset equal LIMIT and OFFSET over all files, with each status, also behind the end', async () => {
    for (const status of [null, ...fileStatuses]) {
      for (const page of pages) {
        const found = await store.listFiles({ accountId, status, ...page })
        const expected = await plainPage(plainFiles, status, page)
        expect(found.map((each) => each.fileId)).to.deep.equal(expected)
        if (page.offset === 0) expect(expected).not.to.deep.equal([])
      }
    }
  })

  it('lists have indexes that progress does not change: its updates are HOT', async () => {
    const command = newCommand(accountId)
    await store.insertCommands([command])
    const hot = await store.database.transaction(async (within) => {
      await within('claim', claim, [command.commandId])
      const [earlier] = await within<{ hot: number }>('hot_updates', hotUpdates)
      for (const stage of ['PREPARING_INPUT_FILES', 'FFMPEG_PROCESSING']) {
        await within('progress', progress, [command.commandId, stage])
      }
      const [all] = await within<{ hot: number }>('hot_updates', hotUpdates)
      return Number(all?.hot) - Number(earlier?.hot)
    })
    expect(hot).to.equal(2)
  })

  async function plainPage(
    statement: string,
    status: string | null,
    { limit, offset }: (typeof pages)[number],
  ): Promise<string[]> {
    const rows = await store.query<{ id: string }>(
      statement === plainCommands ? 'plain_commands' : 'plain_files',
      statement,
      [accountId, status, limit, offset],
    )
    return rows.map(({ id }) => id)
  }
})

/** Few ages, so that many rows are equally old, in an order that is not that of the list. */
const createdAt = `timestamptz '2026-05-01' - make_interval(secs => (n * 7) % 12)`

const commandsOfAllStates = `
  insert into commands (command_id, account_id, command_type, source, original_request, vcpu_count,
    max_run_seconds, is_private, steps, created_at, status, stage, attempts, attempt, round,
    admitted_at, started_at, finished_at, progress_percent, error_status, error_message)
  select gen_random_uuid(), $1, case when n % 4 = 0 then 'STORED_FILE' else 'FFMPEG_COMMAND' end,
    '{}', '{}', case when n % 4 = 0 then 0 else 1 end, 60, false, '[]', ${createdAt}, status,
    case status when 'PROCESSING' then 'DOWNLOADING'
      when 'PREPARED_FFMPEG_COMMAND' then 'PREPARING_INPUT_FILES' end,
    1, 'pod', 1, now(), now(), case when status in ('SUCCESS', 'FAILED') then now() end,
    case status when 'SUCCESS' then 100 end, case status when 'FAILED' then 'CANCELLED' end,
    case status when 'FAILED' then 'x' end
  from generate_series(1, 200) n
  cross join unnest(array['${commandStatuses.join("','")}']) status`

const filesOfAllStates = `
  insert into files (file_id, account_id, store_type, status, original_file_url, key, size_bytes,
    is_private, created_at, deleted_at, error_status, error_message)
  select gen_random_uuid(), $1, 'STORED_FILE', status, 'https://media.example/a.mp4',
    gen_random_uuid()::text, 1, false, ${createdAt}, case when n % 4 = 0 then now() end,
    case status when 'FAILED' then 'CANCELLED' end, case status when 'FAILED' then 'x' end
  from generate_series(1, 200) n cross join unnest(array['${fileStatuses.join("','")}']) status`

const plainCommands = `
  select command_id as id from commands
  where account_id = $1 and command_type <> 'STORED_FILE' and ($2::text is null or status = $2)
  order by created_at desc, command_id desc limit $3 offset $4`

const plainFiles = `
  select file_id as id from files
  where account_id = $1 and deleted_at is null and ($2::text is null or status = $2)
  order by created_at desc, file_id desc limit $3 offset $4`

/** HOT updates of this connection, with those of earlier transactions not yet flushed to the statistics. */
const hotUpdates = `select pg_stat_get_xact_tuples_hot_updated('commands'::regclass) as hot`

const claim = `
  update commands set status = 'PROCESSING', stage = 'DOWNLOADING', attempts = 1, attempt = 'pod',
    started_at = now(), admitted_at = now(), round = 1
  where command_id = $1`

const progress = `
  update commands set status = case $2 when 'PREPARING_INPUT_FILES' then 'PREPARED_FFMPEG_COMMAND'
      else 'PROCESSING' end, stage = $2
  where command_id = $1`
