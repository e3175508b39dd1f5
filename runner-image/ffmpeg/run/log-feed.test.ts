import { expect } from 'chai'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import { markedLine } from '../../../common/domain/log-levels.ts'
import { longestLine } from '../../link/messages.ts'
import { createLogFeed } from './log-feed.ts'

describe('the log on its way', () => {
  const line = `${'x'.repeat(1023)}\n`

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

  it('the log goes out in batches, twice a second', async () => {
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

  it('the log is without the line about an option that the service adds', () => {
    const { sent, log } = feed()
    log.push(Buffer.from('[info] ffmpeg stats and -progress period set to 1.\n[info] Input #0\n'))
    log.end()
    expect(sent).to.deep.equal([{ lines: ['Input #0'], dropped: 0 }])
    expect(log.firstLine()).to.equal('Input #0')
  })

  it('the log goes out at once when a batch is full, as large as the link takes it', () => {
    const { sent, log } = feed()
    log.push(Buffer.from(line.repeat(100)))
    expect(sent.map(({ lines, dropped }) => [lines.length, dropped])).to.deep.equal(
      Array.from({ length: 4 }, () => [23, 0]),
    )
    log.end()
    expect(sent.at(-1)?.lines.length).to.equal(8)
  })

  it('the log has batches that the link takes when each line is short and has a mark', () => {
    const { sent, log } = feed()
    log.push(Buffer.from('[error] "\n'.repeat(20_000)))
    expect(sent.length).to.be.greaterThan(1)
    for (const { lines } of sent) {
      expect(lines[0]).to.equal(markedLine('error', '"'))
      expect(Buffer.byteLength(JSON.stringify(lines))).to.be.at.most(
        longestLine.fromSupervisor - 200,
      )
    }
  })

  it('keeps the first and the newest lines of a flood, and says how many it left out', async () => {
    const { clock, sent, log } = feed()
    log.push(Buffer.from(`first\n${line.repeat(1000)}last\n`))
    await clock.advance(500)
    log.push(Buffer.from('after\n'))
    log.end()
    const kept = sent.reduce((sum, { lines }) => sum + lines.length, 0)
    const dropped = sent.reduce((sum, each) => sum + each.dropped, 0)
    expect(kept + dropped).to.equal(1003)
    expect(dropped).to.be.within(450, 500)
    expect(sent.at(0)?.lines.at(0)).to.equal('first')
    expect(sent.at(-2)?.lines.at(-1)).to.equal('last')
    expect(sent.at(-2)?.dropped).to.equal(dropped)
    expect(sent.at(-1)).to.deep.equal({ lines: ['after'], dropped: 0 })
    expect(log.tail(10)).to.equal('after')
  })

  it('keeps what a slow reader missed until it reads again, in order', async () => {
    let open = false
    const { clock, sent, log } = feed(() => open)
    log.push(Buffer.from('a\nb\n'))
    await clock.advance(500)
    log.push(Buffer.from('c\n'))
    await clock.advance(500)
    open = true
    log.push(Buffer.from('d\n'))
    await clock.advance(500)
    expect(sent).to.deep.equal([
      { lines: ['a', 'b', 'c'], dropped: 0 },
      { lines: ['d'], dropped: 0 },
    ])
    expect(log.firstLine()).to.equal('a')
  })

  it('keeps no more than one batch of what a slow reader missed, and counts the rest', async () => {
    let open = false
    const { clock, sent, log } = feed(() => open)
    log.push(Buffer.from(`first\n${line.repeat(100)}last\n`))
    await clock.advance(500)
    expect(sent).to.deep.equal([])
    open = true
    log.push(Buffer.from('after\n'))
    log.end()
    const [missed, after, ...others] = sent
    expect(others).to.deep.equal([])
    expect(missed?.lines.at(-1)).to.equal('last')
    expect(missed?.lines.length).to.be.within(22, 25)
    expect((missed?.lines.length ?? 0) + (missed?.dropped ?? 0)).to.equal(102)
    expect(after).to.deep.equal({ lines: ['after'], dropped: 0 })
  })

  it('hands over the last lines at its end, at any speed of the reader', () => {
    const sent: string[] = []
    const log = createLogFeed(createVirtualClock(), (lines, _, isLast) => {
      if (isLast) sent.push(...lines)
      return isLast
    })
    log.push(Buffer.from(`first\n${line.repeat(2000)}last\n`))
    log.push(Buffer.from('without an end of line'))
    log.end()
    expect(sent.slice(-2)).to.deep.equal(['last', 'without an end of line'])
  })
})
