import { expect } from 'chai'
import { customResourceName, jobName } from '../../common/domain/resource-names.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { createWorld } from './controller.fixture.ts'
import { account } from './world-parts.fixture.ts'

const first = '0197a3f1-7c4e-7d11-9a55-0242ac120001'
const second = '0197a3f1-7c4e-7d11-9a55-0242ac120002'

describe('controller, for a pod that takes its command', () => {
  const world = createWorld(directly, {}, { startingPods: 1 })
  const { clock, store, jobNames } = world

  before(async () => {
    await world.start()
    await store.ensureAccount(account)
  })
  after(() => world.stop())

  it('starts the next command at once, and shows the claim later', async () => {
    await world.submit(first)
    await world.submit(second)
    await clock.advance(10_000)
    expect(jobNames()).to.deep.equal([jobName(first, 1)])
    const { uid } = await world.pod(jobName(first, 1))
    await clock.advance(10_000)
    await store.claimAttempt({ commandId: first, jobGeneration: 1, podUid: uid })
    world.rowChanged(first, 'claimed')
    await clock.advance(100)
    expect(jobNames()).to.deep.equal([jobName(first, 1), jobName(second, 1)])
    expect(world.status(customResourceName(first))?.state).to.equal('QUEUED')
    await clock.advance(1_300)
    expect(world.status(customResourceName(first))?.state).to.equal('QUEUED')
    // One debounce, not that of the notice and then that of the status.
    await clock.advance(300)
    expect(world.status(customResourceName(first))?.state).to.equal('PROCESSING')
  })
})
