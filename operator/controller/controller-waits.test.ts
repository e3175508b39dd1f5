import { expect } from 'chai'
import { customResourceName } from '../../common/domain/resource-names.ts'
import { useWorld } from './use-world.fixture.ts'

const running = '0197a3f1-7c4e-7d11-9a55-0242ac120001'
const waiting = '0197a3f1-7c4e-7d11-9a55-0242ac120002'
const larger = '0197a3f1-7c4e-7d11-9a55-0242ac120003'

describe('controller, for a command that waits', () => {
  const world = useWorld()

  const waits = () => world.events.filter((reason) => reason.startsWith('WaitingFor'))

  it('writes one Event with the figures of the quota when a command waits, for any number of reconciles', async () => {
    await world.run(running, { vcpuCount: 3 })
    await world.submit(waiting, { vcpuCount: 2 })
    await world.clock.advance(120_000)
    expect(waits()).to.deep.equal(['WaitingForQuota'])
    expect(world.notes).to.include('Needs 2 vCPUs; the account uses 3 of its 4')
  })

  it('writes no Event about a wait when a command is admitted at once', async () => {
    await world.run(running)
    await world.clock.advance(10_000)
    expect(waits()).to.deep.equal([])
  })

  it('writes another Event about a wait only when the reason has changed', async () => {
    const pod = await world.run(running, { vcpuCount: 3 })
    await world.submit(larger, { vcpuCount: 4 })
    await world.clock.advance(400_000)
    await world.submit(waiting, { vcpuCount: 1 })
    await world.clock.advance(10_000)
    // The command would fit beside the running one, but the larger one has waited too long to be passed.
    expect(world.status(customResourceName(waiting))?.reason).to.equal('WaitingForCapacity')
    await world.succeed(running, pod.uid)
    pod.complete()
    await world.clock.advance(60_000)
    expect(world.status(customResourceName(waiting))?.reason).to.equal('WaitingForQuota')
    expect(waits()).to.deep.equal(['WaitingForQuota', 'WaitingForCapacity', 'WaitingForQuota'])
  })

  it('writes no Event again about a wait that the status shows when the leader changes', async () => {
    await world.run(running, { vcpuCount: 4 })
    await world.submit(waiting, { vcpuCount: 2 })
    await world.clock.advance(5_000)
    for (let leader = 0; leader < 4; leader += 1) {
      await world.stop()
      await world.start()
      await world.clock.advance(60_000)
    }
    expect(waits()).to.deep.equal(['WaitingForQuota'])
  })
})
