import { expect } from 'chai'
import { createRequestThrottle } from '../../common/kubernetes/throttle/request-throttle.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import type { VirtualClock } from '../../testing/support/virtual-clock.ts'
import { createShowTurns } from './show-turns.ts'
import type { ShowTurns } from './show-turns.ts'

describe('turns of objects whose status changes', () => {
  let clock: VirtualClock
  let woken: string[]
  let turns: ShowTurns

  beforeEach(() => {
    clock = createVirtualClock()
    woken = []
    // Three statuses a second, and three at once.
    const throttle = createRequestThrottle({ clock, perSecond: 10, burst: 10 })
    turns = createShowTurns({ throttle, clock, wake: (commandId) => woken.push(commandId) })
    for (const id of ['x', 'y', 'z']) expect(turns.take(id, 'progress')).to.equal(true)
  })

  it('wakes each waiting object once, which may then be patched', async () => {
    expect(turns.take('a', 'progress')).to.equal(false)
    expect(turns.take('b', 'progress')).to.equal(false)
    expect(turns.take('a', 'progress')).to.equal(false)
    await clock.advance(10_000)
    expect(woken).to.deep.equal(['a', 'b'])
    expect(turns.take('b', 'progress')).to.equal(true)
    expect(turns.take('a', 'progress')).to.equal(true)
  })

  it('wakes objects with another state before those with mere progress', async () => {
    turns.take('a', 'progress')
    turns.take('b', 'progress')
    turns.take('c', 'state')
    turns.take('b', 'state')
    await clock.advance(10_000)
    expect(woken).to.deep.equal(['c', 'b', 'a'])
  })

  it('the turns do not wake an object that was forgotten', async () => {
    turns.take('a', 'progress')
    turns.take('b', 'progress')
    turns.forget('a')
    await clock.advance(10_000)
    expect(woken).to.deep.equal(['b'])
  })

  it('wakes no object after its end', async () => {
    turns.take('a', 'progress')
    turns.stop()
    await clock.advance(10_000)
    expect(woken).to.deep.equal([])
  })
})
