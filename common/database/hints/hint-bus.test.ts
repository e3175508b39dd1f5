import { expect } from 'chai'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import { createHintBus } from './hint-bus.ts'

describe('createHintBus', () => {
  function bussing() {
    const clock = createVirtualClock()
    const sent: [name: string, atMs: number][] = []
    const notifications: (readonly string[])[] = []
    const bus = createHintBus(clock, async (hints) => {
      notifications.push(hints)
      for (const hint of hints) sent.push([hint, clock.monotonicMs()])
    })
    return { clock, sent, notifications, bus }
  }

  it('wakes the loops of this process at once', () => {
    const { bus } = bussing()
    let wakes = 0
    const unsubscribe = bus.subscribe('dispatch', () => (wakes += 1))
    bus.give('dispatch')
    bus.give('webhooks')
    expect(wakes).to.equal(1)
    unsubscribe()
    bus.give('dispatch')
    expect(wakes).to.equal(1)
  })

  it("gives none about the leader's work in the leader's own process", async () => {
    const { clock, sent, bus } = bussing()
    let wakes = 0
    const unsubscribe = bus.subscribe('mirror', () => (wakes += 1))
    bus.give('mirror')
    await clock.advance(1_000)
    expect([wakes, sent]).to.deep.equal([0, []])
    bus.receive('mirror')
    expect(wakes).to.equal(1)
    unsubscribe()
    bus.give('mirror')
    await clock.settle()
    expect(sent).to.deep.equal([['mirror', 1_000]])
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

  it('limits each kind by itself, and sends those of one moment together', async () => {
    const { clock, notifications, bus } = bussing()
    bus.give('mirror')
    bus.give('webhooks')
    bus.give('mirror')
    await clock.advance(50)
    bus.give('dispatch')
    await clock.advance(1_000)
    expect(notifications).to.deep.equal([['mirror', 'webhooks'], ['dispatch'], ['mirror']])
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
