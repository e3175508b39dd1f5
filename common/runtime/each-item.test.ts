import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createEachItem } from './each-item.ts'
import type { ItemSteps } from './each-item.ts'
import { silentLogger } from './logger.ts'

function world() {
  const clock = createVirtualClock()
  const lines: unknown[] = []
  const logger = { ...silentLogger, warn: (_text: string, fields: unknown) => lines.push(fields) }
  const postponed: string[] = []
  const done: string[] = []
  const eachItem = createEachItem({ name: 'test', clock, logger })
  const steps: ItemSteps<string> = {
    async work(item) {
      if (item.startsWith('bad')) throw new Error(item)
      done.push(item)
    },
    postpone: (item) => void postponed.push(item),
    describe: (item) => ({ item }),
  }
  return { clock, lines, postponed, done, eachItem, steps }
}

describe('each item', () => {
  it('the items behind one that fails are done, and that one is postponed', async () => {
    const { eachItem, steps, done, postponed } = world()
    await eachItem.run(['a', 'bad-1', 'b', 'bad-2', 'c'], steps)
    expect(done).to.deep.equal(['a', 'b', 'c'])
    expect(postponed).to.deep.equal(['bad-1', 'bad-2'])
  })

  it('the work continues when an item cannot be postponed', async () => {
    const { eachItem, steps, done } = world()
    await eachItem.run(['bad', 'a'], { ...steps, postpone: () => Promise.reject(new Error('x')) })
    expect(done).to.deep.equal(['a'])
  })

  it('logs a line a minute with the number of failures since the last one', async () => {
    const { eachItem, steps, lines, clock } = world()
    await eachItem.run(['bad-1', 'bad-2', 'bad-3'], steps)
    await clock.advance(60_000)
    await eachItem.run(['bad-4'], steps)
    expect(lines).to.have.length(2)
    expect(lines[0]).to.include({ work: 'test', failures: 1, item: 'bad-1' })
    expect(lines[1]).to.include({ failures: 3, item: 'bad-4' })
  })

  it('rejects with the last error after as many failures in a row as are allowed', async () => {
    const { eachItem, steps, done, postponed } = world()
    const items = ['bad-1', 'a', 'bad-2', 'bad-3', 'b']
    const error: unknown = await eachItem
      .run(items, { ...steps, giveUpAfter: 2 })
      .catch((reason: unknown) => reason)
    expect(error).to.have.property('message', 'bad-3')
    expect(done).to.deep.equal(['a'])
    expect(postponed).to.deep.equal(['bad-1', 'bad-2', 'bad-3'])
  })

  it('eachItem works on as many items at a time as it may', async () => {
    const { eachItem, steps } = world()
    let now = 0
    let most = 0
    const work = async (): Promise<void> => {
      now += 1
      most = Math.max(most, now)
      await Promise.resolve()
      now -= 1
    }
    await eachItem.run(['a', 'b', 'c', 'd', 'e'], { ...steps, work, concurrency: 3 })
    expect(most).to.equal(3)
  })

  it('takes no item after its signal, and does not postpone interrupted items', async () => {
    const { eachItem, steps, postponed } = world()
    const stop = new AbortController()
    const begun: string[] = []
    const work = async (item: string): Promise<void> => {
      begun.push(item)
      stop.abort()
      throw new Error('interrupted')
    }
    await eachItem.run(['a', 'b'], { ...steps, work, signal: stop.signal })
    expect([begun, postponed]).to.deep.equal([['a'], []])
  })

  it('takes items as they come and rejects when the source fails', async () => {
    const { eachItem, steps, done } = world()
    async function* claimed() {
      yield 'a'
      yield 'b'
      throw new Error('the database is away')
    }
    const error: unknown = await eachItem.run(claimed(), steps).catch((reason: unknown) => reason)
    expect(error).to.have.property('message', 'the database is away')
    expect(done).to.deep.equal(['a', 'b'])
  })
})
