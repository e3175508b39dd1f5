import { expect } from 'chai'
import fc from 'fast-check'
import { sleep } from '../../common/runtime/effects.ts'
import { createVirtualClock } from './virtual-clock.ts'

describe('virtual clock', () => {
  it('the virtual clock moves only on advance and resumes sleepers in the order of their times', async () => {
    const clock = createVirtualClock()
    const log: string[] = []
    const sleepers = [30, 10, 20].map(async (ms) => {
      await sleep(clock, ms)
      log.push(`${ms} at ${clock.monotonicMs()}`)
    })
    await clock.settle()
    expect(log).to.deep.equal([])
    await clock.advance(25)
    expect(log).to.deep.equal(['10 at 10', '20 at 20'])
    expect(clock.monotonicMs()).to.equal(25)
    await clock.advance(5)
    await Promise.all(sleepers)
    expect(log.at(-1)).to.equal('30 at 30')
  })

  it('lets a chain of promises finish before it moves on', async () => {
    const clock = createVirtualClock()
    const seen: number[] = []
    clock.schedule(5, () => {
      void (async () => {
        for (let i = 0; i < 50; i += 1) await Promise.resolve()
        seen.push(clock.monotonicMs())
      })()
    })
    clock.schedule(6, () => seen.push(-1))
    await clock.advance(10)
    expect(seen).to.deep.equal([5, -1])
  })

  it('the virtual clock stops at the moment at which a predicate holds, or at the limit', async () => {
    const clock = createVirtualClock()
    let done = false
    clock.schedule(40, () => {
      done = true
    })
    expect(await clock.runUntil(() => done, 39)).to.equal(false)
    expect(await clock.runUntil(() => done, 39)).to.equal(true)
    expect(clock.monotonicMs()).to.equal(40)
  })

  it('the virtual clock never runs a cancelled timer, and always runs the others in order', async () => {
    const entry = fc.record({ at: fc.integer({ min: 0, max: 50 }), cancel: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 40 }), async (entries) => {
        const clock = createVirtualClock()
        const ran: number[] = []
        const cancels = entries.map(({ at }) => clock.schedule(at, () => ran.push(at)))
        entries.forEach(({ cancel }, index) => cancel && cancels[index]?.())
        await clock.runUntilIdle(1000)
        const expected = entries.filter(({ cancel }) => !cancel).map(({ at }) => at)
        expect(ran).to.deep.equal(expected.toSorted((a, b) => a - b))
        expect(clock.pendingTimers()).to.equal(0)
      }),
    )
  })
})
