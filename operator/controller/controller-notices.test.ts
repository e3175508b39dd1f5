import { expect } from 'chai'
import { progressOf } from '../../testing/store-contract/fixtures.ts'
import { commandId } from '../../testing/support/operator/snapshot.ts'
import { useWorld } from './use-world.fixture.ts'

describe('controller, for a row that the gateway of its process has changed', () => {
  const world = useWorld()
  let podUid = ''
  beforeEach(async () => {
    podUid = (await world.run(commandId)).uid
    await world.clock.advance(20_000)
  })

  async function progress(): Promise<void> {
    await world.store.storeProgress({ ...progressOf(commandId, podUid), logs: [] })
  }

  async function noticeProgress(): Promise<void> {
    await progress()
    world.rowChanged(commandId, 'progress')
  }

  async function reconciles(): Promise<number> {
    const [, count] = /reconcile_seconds_count (\d+)/u.exec(await world.metrics()) ?? []
    return Number(count)
  }

  it('looks at progress once, after 1.5 s, though the mirror finds its row too', async () => {
    const before = await reconciles()
    await noticeProgress()
    await world.clock.advance(1_400)
    expect((await reconciles()) - before).to.equal(0)
    await world.clock.advance(200)
    expect((await reconciles()) - before).to.equal(1)
  })

  it('looks at progress that was reported to another replica as soon as the mirror finds it', async () => {
    const before = await reconciles()
    await progress()
    await world.clock.advance(1_100)
    expect((await reconciles()) - before).to.equal(1)
  })

  it('looks at it as soon after a reconcile that failed', async () => {
    await noticeProgress()
    await world.clock.advance(1_499)
    world.outage.database = true
    await world.clock.advance(2)
    world.outage.database = false
    const before = await reconciles()
    await progress()
    await world.clock.advance(1_100)
    expect((await reconciles()) - before).to.equal(1)
  })

  it('cancels at once on request while progress waits to be shown', async () => {
    await world.clock.advance(100)
    await noticeProgress()
    await world.store.requestCancel(commandId, 'administrator')
    await world.clock.advance(1_100)
    expect(await world.rowOf(commandId)).to.include({ status: 'FAILED', errorStatus: 'CANCELLED' })
  })
})
