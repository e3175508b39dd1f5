import { expect } from 'chai'
import { createVirtualClock } from '../../e2e/faults/simulator/virtual-clock.ts'
import { createLogFeed } from './log-feed.ts'

describe('the log on its way', () => {
  function feed(accept: () => boolean = () => true) {
    const clock = createVirtualClock()
    const sent: { lines: readonly string[]; dropped: number }[] = []
    const log = createLogFeed(clock, (lines, dropped) => {
      const accepted = accept()
      if (accepted) sent.push({ lines, dropped })
      return accepted
    })
    return { clock, sent, log }
  }

  it('goes out in batches, twice a second', async () => {
    const { clock, sent, log } = feed()
    log.push(Buffer.from('a\nb\n'))
    expect(sent).to.deep.equal([])
    await clock.advance(500)
    log.push(Buffer.from('c'))
    log.end()
    expect(sent).to.deep.equal([
      { lines: ['a', 'b'], dropped: 0 },
      { lines: ['c'], dropped: 0 },
    ])
    expect(clock.pendingTimers()).to.equal(0)
  })

  it('leaves out what is too much for a batch, and says how many lines that were', async () => {
    const { clock, sent, log } = feed()
    const line = `${'x'.repeat(1023)}\n`
    log.push(Buffer.from(line.repeat(100)))
    await clock.advance(500)
    log.push(Buffer.from('after\n'))
    log.end()
    expect(sent.map(({ lines, dropped }) => [lines.length, dropped])).to.deep.equal([
      [24, 0],
      [1, 76],
    ])
    expect(log.tail(10)).to.equal('after')
  })

  it('counts what a slow reader missed', async () => {
    let open = false
    const { clock, sent, log } = feed(() => open)
    log.push(Buffer.from('a\nb\n'))
    await clock.advance(500)
    open = true
    log.push(Buffer.from('c\n'))
    log.end()
    expect(sent).to.deep.equal([{ lines: ['c'], dropped: 2 }])
    expect(log.firstLine()).to.equal('a')
  })
})
