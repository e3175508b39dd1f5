import { expect } from 'chai'
import { createEachItem } from '../../common/runtime/each-item.ts'
import { sleep } from '../../common/runtime/effects.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { LeadershipLost } from '../machinery/election/leader.ts'
import { drain } from './drain.ts'

class Away extends Error {}

const pageSize = 20

function world(count: number, accounts: number) {
  const clock = createVirtualClock()
  const eachItem = createEachItem({ name: 'test', clock, logger: silentLogger })
  const due = Array.from({ length: count }, (_, index) => index)
  const postponed: number[] = []
  const swept: number[] = []
  const errors = new Map<number, Error>()
  let pages = 0
  let most = 0
  let now = 0
  const leave = (item: number): void => void due.splice(due.indexOf(item), 1)
  const run = (sweepMs: number, signal = new AbortController().signal) =>
    drain<number>(
      { clock, eachItem },
      {
        async find() {
          pages += 1
          return due.slice(0, pageSize)
        },
        isLast: (page) => page.length < pageSize,
        async sweep(item) {
          most = Math.max(most, ++now)
          await sleep(clock, sweepMs)
          now -= 1
          const error = errors.get(item)
          if (error !== undefined) throw error
          swept.push(item)
          leave(item)
        },
        postpone(item) {
          postponed.push(item)
          leave(item)
        },
        describe: (item) => ({ item }),
        accountsOf: (item) => [`account-${item % accounts}`],
        isOutage: (error) => error instanceof Away,
      },
      signal,
    )
  const found = () => ({ pages, most })
  return { clock, run, errors, swept, postponed, due, found }
}

describe('drain', () => {
  it('takes page after page until nothing is due, eight items at a time', async () => {
    const { clock, run, swept, found } = world(100, 1)
    expect(await clock.until(run(10))).to.equal('drained')
    expect(swept).to.have.length(100)
    expect(found()).to.deep.equal({ pages: 6, most: 8 })
  })

  it("returns 'idle' when nothing was due", async () => {
    const { clock, run } = world(0, 1)
    expect(await clock.until(run(10))).to.equal('idle')
  })

  it('sweeps all behind items that always fail, and postpones these', async () => {
    const { clock, run, swept, postponed, errors } = world(100, 1)
    for (let item = 0; item < 30; item += 1) errors.set(item, new Error('AccessDenied'))
    expect(await clock.until(run(10))).to.equal('drained')
    expect(swept).to.have.length(70)
    expect(postponed).to.have.length(30)
  })

  it("returns 'behind' after 30 s, and begins nothing more", async () => {
    const { clock, run, swept } = world(1_000, 1)
    expect(await clock.until(run(1_000))).to.equal('behind')
    expect(clock.monotonicMs()).to.be.within(30_000, 31_000)
    expect(swept).to.have.length(200)
  })

  it('the drain ends at an outage, which it throws, and does not postpone the rest', async () => {
    const { clock, run, errors, postponed, due } = world(100, 3)
    for (let item = 20; item < 100; item += 1) errors.set(item, new Away('away'))
    const error: unknown = await clock.until(run(10)).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(Away)
    expect(postponed).to.have.length(4)
    expect(due).to.have.length(76)
  })

  it('the drain does not take the failures of one account for an outage', async () => {
    const { clock, run, errors, swept } = world(100, 2)
    for (let item = 0; item < 50; item += 1) errors.set(item, new Away('away'))
    expect(await clock.until(run(10))).to.equal('drained')
    expect(swept).to.have.length(50)
  })

  it('the drain ends when the Lease is lost', async () => {
    const { clock, run, errors, postponed, swept } = world(100, 1)
    errors.set(0, new LeadershipLost())
    const error: unknown = await clock.until(run(10)).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(LeadershipLost)
    expect(postponed).to.deep.equal([])
    expect(swept.length).to.be.below(8)
  })

  it('the drain begins nothing after its signal', async () => {
    const { clock, run, swept } = world(100, 1)
    const stopping = new AbortController()
    const ended = run(10, stopping.signal)
    await clock.settle()
    stopping.abort()
    expect(await clock.until(ended)).to.equal('drained')
    expect(swept).to.have.length(8)
  })
})
