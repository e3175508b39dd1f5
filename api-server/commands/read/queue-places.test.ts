import { expect } from 'chai'
import { useStore } from '../../../testing/support/database.ts'
import { createQueuePlaces } from './queue-places.ts'
import { newId, commitOf, failed } from '../../../testing/store-contract/fixtures.ts'

const waiting = 3_500

describe('createQueuePlaces', () => {
  const store = useStore()
  const accountId = newId()
  let ids: string[] = []
  before(async () => {
    await store.ensureAccount({ accountId, name: 'deep', plan: 'pro' })
    await store.query(
      'fill',
      // Some have the same microsecond, so the id orders them.
      `insert into commands (command_id, account_id, command_type, source, original_request,
         vcpu_count, max_run_seconds, is_private, steps, created_at)
       select gen_random_uuid(), $1, 'FFMPEG_COMMAND', '{}', '{}', 1, 1, false, '[]',
         '2026-01-01T00:00:00Z'::timestamptz + make_interval(secs => (n / 3) * 0.000001)
       from generate_series(1, $2::integer) n`,
      [accountId, waiting],
    )
    const rows = await store.query<{ id: string }>(
      'order',
      'select command_id as id from commands order by created_at, command_id',
    )
    ids = rows.map(({ id }) => id)
  })

  function setUp() {
    const polled = { anchors: 0 }
    let nowMs = 0
    const placeOf = createQueuePlaces({
      store: {
        countQueued: (range) => store.countQueued(range),
        findQueueAnchors: (...args) => {
          polled.anchors += 1
          return store.findQueueAnchors(...args)
        },
      },
      clock: { monotonicMs: () => nowMs, wall: () => new Date(), schedule: () => () => undefined },
    })
    const place = async (id: string) => {
      const command = await store.findCommand(accountId, id)
      return command === null ? expect.fail(id) : placeOf(command)
    }
    return { polled, place, pass: (ms: number) => (nowMs += ms) }
  }

  it('returns the position of each command in a deep queue, walking it once', async () => {
    const { polled, place } = setUp()
    const places = [1, 2, 999, 1_000, 1_001, 1_002, 2_000, 2_001, 2_999, 3_000, 3_001, 3_500]
    const found = await Promise.all(places.map((at) => place(ids[at - 1] ?? '')))
    expect(found).to.deep.equal(places)
    expect(polled.anchors).to.equal(1)
  })

  it('counts positions near the front without walking the rest', async () => {
    const { polled, place } = setUp()
    expect(await place(ids[0] ?? '')).to.equal(1)
    expect(await place(ids[999] ?? '')).to.equal(1_000)
    expect(polled.anchors).to.equal(0)
    const far = await store.findCommand(accountId, ids[3_000] ?? '')
    expect(far?.queuePosition).to.equal(1_001)
  })

  it('returns smaller positions as the queue advances', async () => {
    const { polled, place, pass } = setUp()
    const last = ids.at(-1) ?? ''
    expect(await place(last)).to.equal(waiting)
    await store.commitOutcome(commitOf(ids[3] ?? '', null, failed('CANCELLED')))
    pass(1_000)
    expect(await place(last)).to.equal(waiting - 1)
    expect(polled.anchors).to.equal(2)
  })
})
