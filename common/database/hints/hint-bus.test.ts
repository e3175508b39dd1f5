import { expect } from 'chai'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import { createHintBus } from './hint-bus.ts'

describe('createHintBus', () => {
  function bussing() {
    const clock = createVirtualClock()
    const sent: [name: string, atMs: number][] = []
    const bus = createHintBus(clock, async (hint) => {
      sent.push([hint, clock.monotonicMs()])
    })
    return { clock, sent, bus }
  }

  it('wakes the loops of this process at once', () => {
    const { bus } = bussing()
    let wakes = 0
    const unsubscribe = bus.subscribe('mirror', () => (wakes += 1))
    bus.give('mirror')
    bus.give('webhooks')
    expect(wakes).to.equal(1)
    unsubscribe()
    bus.give('mirror')
    expect(wakes).to.equal(1)
  })

  it('sends the first hint at once and the last after the others, ten a second', async () => {
    const { clock, sent, bus } = bussing()
    for (let commit = 0; commit < 250; commit++) {
      bus.give('mirror')
      await clock.advance(1)
    }
    await clock.advance(1_000)
    expect(sent).to.deep.equal([
      ['mirror', 0],
      ['mirror', 100],
      ['mirror', 200],
      ['mirror', 300],
    ])
  })

  it('limits each kind by itself', () => {
    const { sent, bus } = bussing()
    bus.give('mirror')
    bus.give('webhooks')
    expect(sent.map(([name]) => name)).to.deep.equal(['mirror', 'webhooks'])
  })

  it('ignores a notification of a name that it does not know', () => {
    const { bus } = bussing()
    let wakes = 0
    bus.subscribe('dispatch', () => (wakes += 1))
    bus.receive('of a newer program')
    bus.receive('dispatch')
    bus.receiveAll()
    expect(wakes).to.equal(2)
  })
})
