import { expect } from 'chai'
import fc from 'fast-check'
import { createLogLines } from './log-lines.ts'
import { firstError, isOpen, lineIn, partsOf, quotedIn, shownIn, windowOf } from './log-parts.ts'

const linesOf = (...texts: string[]) => {
  const log = createLogLines()
  log.append(`${texts.join('\n')}\n`)
  return log.lines()
}

describe('the parts of a log', () => {
  it('divides a log by steps and attempts, with their statistics', () => {
    const lines = linesOf(
      '==> step 0 <==',
      '[info] a',
      '[info] frame=1 fps=2 size=1KiB time=00:00:05.00 speed=2x',
      '[info] time=00:00:07.00 speed=3x',
      '==> next attempt <==',
      '==> step 1 <==',
      '[info] b',
    )
    expect(partsOf(lines)).to.deep.equal([
      { title: 'Step 1', step: 0, from: 1, to: 4, statistics: [2, 3] },
      { title: 'Next attempt', step: null, from: 5, to: 5, statistics: [] },
      { title: 'Step 2', step: 1, from: 6, to: 7, statistics: [] },
    ])
  })

  it('a log without a heading is one part without a title', () => {
    expect(partsOf(linesOf('[info] a', '[info] timestamp=1'))).to.deep.equal([
      { title: null, step: null, from: 0, to: 2, statistics: [] },
    ])
    expect(partsOf([])).to.deep.equal([])
  })

  it('the parts of a log take FFmpeg’s own last statistics too', () => {
    const own =
      '[info] frame=   25 fps=0.0 q=-1.0 Lsize=      12KiB time=00:00:01.00 bitrate=98.3kbits/s'
    expect(partsOf(linesOf(own, '[info] size=N/A time=N/A'))[0]?.statistics).to.deep.equal([0, 1])
  })
})

describe('the window of a log', () => {
  it('the window has the wanted line and at most the lines that fit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 2, max: 3_000 }),
        fc.nat(),
        (count, most, any) => {
          const wanted = any % count
          const { from, to } = windowOf(count, most, wanted)
          expect(wanted).to.be.within(from, to - 1)
          expect(to - from).to.equal(Math.min(count, most))
        },
      ),
    )
    expect(windowOf(5_000, 2_000, null)).to.deep.equal({ from: 3_000, to: 5_000 })
  })
})

describe('the lines that are shown', () => {
  it('shownIn counts the folded lines before each line, so that each number of a line is explained', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(30), fc.array(fc.nat(60)), (from, count, some) => {
        const folded = new Set(some)
        const shown = shownIn({ from, to: from + count }, folded)
        let next = from
        for (const { index, foldedBefore } of shown) {
          expect(folded.has(index)).to.equal(false)
          expect(index).to.equal(next + foldedBefore)
          next = index + 1
        }
        for (let index = next; index < from + count; index++)
          expect(folded.has(index)).to.equal(true)
      }),
    )
  })
})

describe('the first error', () => {
  const lines = linesOf('[info] a', '[error] [out#0] no room here', "[error] No such filter: 'x'.")

  it('the first error is the line that the record quotes, else the first of that level', () => {
    const message = "FFmpeg refused the command: a | No such filter: 'x' (at character 9)"
    expect(firstError(lines, quotedIn(message))).to.equal(2)
    expect(firstError(lines, quotedIn(null))).to.equal(1)
    expect(firstError(linesOf('[info] a'), quotedIn(message))).to.equal(null)
  })
})

describe('the line of a fragment', () => {
  it('reads the line of a fragment, counted from 1', () => {
    expect([lineIn('#L120'), lineIn('#L0'), lineIn('#key=L1'), lineIn('')]).to.deep.equal([
      119,
      null,
      null,
      null,
    ])
  })
})

describe('isOpen', () => {
  const parts = partsOf(linesOf('==> step 0 <==', '[info] a', '==> step 1 <==', '[info] b'))
  const none = { toggled: new Map<number, boolean>(), hits: null, wanted: null }
  const opened = (view: Partial<Parameters<typeof isOpen>[2]>) =>
    [0, 1, 2].map((index) => isOpen(parts, index, { ...none, ...view }))

  it('isOpen opens the last part when nothing is wanted', () => {
    expect(opened({})).to.deep.equal([false, true, false])
  })

  it('isOpen opens the part of the wanted line, or of its heading', () => {
    expect(opened({ wanted: 1 })).to.deep.equal([true, false, false])
    expect(opened({ wanted: 2 })).to.deep.equal([false, true, false])
  })

  it('isOpen opens the parts that the search has found lines in', () => {
    expect(opened({ hits: [1, 3], wanted: 1 })).to.deep.equal([true, true, false])
    expect(opened({ hits: [] })).to.deep.equal([false, false, false])
  })

  it('isOpen returns the choice of the reader first', () => {
    const toggled = new Map([[3, false]])
    expect(opened({ toggled, hits: [1, 3] })).to.deep.equal([true, false, false])
  })
})
