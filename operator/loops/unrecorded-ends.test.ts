import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { command, commandId, pod } from '../../testing/support/operator/snapshot.ts'
import { createUnrecordedEnds } from './unrecorded-ends.ts'

describe('ends that are not recorded', () => {
  it('returns the time since their pod was seen to have ended, and 0 once the command shows its end', async () => {
    const clock = createVirtualClock()
    const world = { pods: [pod({ phase: 'Failed' })], ended: false }
    const of = (id: string) => (id === commandId ? world.pods : [])
    const { shown, ...rest } = command()
    const seconds = createUnrecordedEnds(
      {
        pods: { list: () => world.pods },
        podsOf: of,
        commandsOf: () => [{ ...rest, shown: { ...shown, ended: world.ended } }],
      },
      clock,
    )
    expect(seconds()).to.equal(0)
    await clock.advance(70_000)
    expect(seconds()).to.equal(70)
    // A later attempt runs.
    world.pods = [pod({ phase: 'Failed' }), pod({ phase: 'Running', uid: 'second' })]
    expect(seconds()).to.equal(0)
    world.pods = [pod({ phase: 'Failed' })]
    await clock.advance(30_000)
    expect(seconds()).to.equal(0)
    await clock.advance(30_000)
    expect(seconds()).to.equal(30)
    world.ended = true
    expect(seconds()).to.equal(0)
  })
})
