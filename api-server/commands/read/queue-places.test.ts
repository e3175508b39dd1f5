import { expect } from 'chai'
import { openTestDatabase } from '../../../testing/support/database.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'
import { commitOf, failed, newId } from '../../../testing/store-contract/fixtures.ts'
import { createPostgresStore } from '../../../common/database/postgres-store.ts'
import { createQueuePlaces } from './queue-places.ts'
import type { Store } from '../../../common/store/store.ts'

const waiting = 3_500

describe('createQueuePlaces', () => {
  const accountId = newId()
  let opened: TestDatabase
  let store: Store
  let ids: string[] = []
  before(async () => {
    opened = await openTestDatabase()
    store = createPostgresStore(opened.database)
    await store.ensureAccount({ accountId, name: 'deep', plan: 'pro' })
    await opened.database.query(
      'fill',
      // Some have the same microsecond, so the id orders them. Every second has a custom resource.
      `insert into commands (command_id, account_id, command_type, source, original_request,
         vcpu_count, max_run_seconds, is_private, steps, created_at, dispatched_at)
       select gen_random_uuid(), $1, 'FFMPEG_COMMAND', '{}', '{}', 1, 1, false, '[]',
         '2026-01-01T00:00:00Z'::timestamptz + make_interval(secs => (n / 3) * 0.000001),
         case when n % 2 = 0 then now() end
       from generate_series(1, $2::integer) n`,
      [accountId, waiting],
    )
    ids = await inOrder()
  })
  after(() => opened.close())

  async function inOrder(): Promise<string[]> {
    const rows = await opened.database.query<{ id: string }>(
      'order',
      `select command_id as id from commands where finished_at is null
       order by coalesce(queue_key, created_at), command_id`,
    )
    return rows.map(({ id }) => id)
  }

  function setUp() {
    const far: string[] = []
    const placeOf = createQueuePlaces({
      store: {
        countQueued: (command) => {
          far.push(command.commandId)
          return store.countQueued(command)
        },
      },
    })
    const place = async (id = '') => {
      const command = await store.findCommand(accountId, id)
      return command === null ? expect.fail(id) : placeOf(command)
    }
    return { far, place }
  }

  it('returns the position of each command in a deep queue', async () => {
    const { far, place } = setUp()
    const places = [1, 2, 999, 1_000, 1_001, 1_002, 2_000, 2_001, 2_999, 3_000, 3_001, 3_500]
    const found = await Promise.all(places.map((at) => place(ids[at - 1])))
    expect(found).to.deep.equal(places)
    expect(far).to.have.members(places.filter((at) => at > 1_000).map((at) => ids[at - 1]))
  })

  it('counts a command that passes others by its priority in front of them', async () => {
    const { place } = setUp()
    const passing = ids[2_999] ?? ''
    const shift = (minutes: number | null) =>
      opened.database.query(
        'shift',
        `update commands set queue_key = created_at - make_interval(mins => $2)
         where command_id = $1`,
        [passing, minutes],
      )
    await shift(10)
    expect(await place(passing)).to.equal(1)
    expect(await place(ids[0])).to.equal(2)
    expect(await place(ids[998])).to.equal(1_000)
    expect(await inOrder()).to.deep.equal([passing, ...ids.filter((id) => id !== passing)])
    await shift(null)
  })

  it('returns smaller positions as the queue advances', async () => {
    const { place } = setUp()
    const last = ids.at(-1)
    expect(await place(last)).to.equal(waiting)
    await store.commitOutcome(commitOf(ids[3] ?? '', null, failed('CANCELLED')))
    expect(await place(last)).to.equal(waiting - 1)
    expect(await place(ids[999])).to.equal(999)
  })
})
