import { expect } from 'chai'
import { scaled } from '../../../testing/scale.ts'
import { useManyRows } from '../../../testing/support/rows/many-rows.ts'
import { rowsRead } from '../../../testing/support/rows/rows-read.ts'
import { findCommandsSql } from './command-records.ts'
import { countedPositions } from './queue-position.ts'

const waiting = scaled({ smoke: 8_000, full: 100_000 })

/** They are of one length, so that the order of their submission is the order of `n`. */
function commandsOf(isEnded: boolean): string {
  const endedAt = isEnded ? 'now()' : 'null'
  const status = isEnded ? "'FAILED', 'CANCELLED', 'cancelled'" : "'QUEUED', null, null"
  return `
    insert into commands (command_id, account_id, command_type, source, original_request,
      vcpu_count, max_run_seconds, is_private, created_at, queue_key, steps, dispatched_at,
      finished_at, released_at, status, error_status, error_message)
    select gen_random_uuid(), $1, 'FFMPEG_COMMAND', '{}', '{}', 1, 60, false, at,
      case n % 3 when 0 then at - interval '10 minutes' when 1 then at + interval '10 minutes' end,
      '[]', case when n % 2 = 0 then now() end, ${endedAt}, ${endedAt}, ${status}
    from generate_series(1, ${waiting}) n cross join lateral (
      select now() - interval '1 day' + make_interval(secs => n + ${isEnded ? 0 : waiting}) as at
    ) submitted`
}

describe('the position of a command in a long queue', () => {
  // Commands that have ended come first, and every second that waits has a custom resource.
  const { store, accountId } = useManyRows([
    commandsOf(true),
    commandsOf(false),
    "insert into account_shares (account_id, reason) values ($1, 'CAPACITY')",
  ])

  /** @param place 0 = submitted first */
  async function commandAt(place: number): Promise<string> {
    const [row] = await store.query<{ id: string }>(
      'at',
      `select command_id as id from commands where account_id = $1 and finished_at is null
       order by coalesce(queue_key, created_at), command_id offset $2 limit 1`,
      [accountId, place],
    )
    return row?.id ?? ''
  }

  const readRecord = (commandId: string) =>
    rowsRead(
      store.database,
      findCommandsSql.replaceAll('$1', `'{${accountId}}'`).replaceAll('$2', `'{${commandId}}'`),
    )

  it('a position is read by as many rows as commands are in front, and the share of the account', async () => {
    for (const place of [0, 9, 99, 900]) {
      const rows = await readRecord(await commandAt(place))
      expect(rows, `${place}`).to.be.within(place + 2, place + 3)
    }
  })

  it('reads no row but its own with the record when the command waits no more', async () => {
    const [ended] = await store.query<{ id: string }>(
      'ended',
      'select command_id as id from commands where finished_at is not null limit 1',
    )
    expect(await readRecord(ended?.id ?? '')).to.be.at.most(1)
  })

  it('a position is read within the bound, however long the queue is', async () => {
    const last = await commandAt(waiting - 1)
    expect(await readRecord(last)).to.be.at.most(2 * (countedPositions + 1) + 2)
  })
})
