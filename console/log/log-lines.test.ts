import { expect } from 'chai'
import fc from 'fast-check'
import { createLogLines, found, isHeading } from './log-lines.ts'

describe('the lines of a log', () => {
  it('are the same in any pieces', () => {
    const text = '==> step 1 <==\nInput #0\r\n\nframe=1\rframe=2\rframe=3\nlast'
    const expected = ['==> step 1 <==', 'Input #0', '', 'frame=3', 'last']
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
        const log = createLogLines()
        let from = 0
        for (const cut of [...cuts, text.length].toSorted((a, b) => a - b)) {
          log.append(text.slice(from, cut))
          from = cut
        }
        expect(log.lines()).to.deep.equal(expected)
      }),
    )
  })

  it('are found by a part in any case', () => {
    expect(found(['Error: x', 'fine', 'no ERROR'], 'error')).to.deep.equal([0, 2])
    expect(found(['a'], '')).to.deep.equal([])
  })

  it('are headings where the service wrote them', () => {
    expect(isHeading('==> step 2 <==')).to.equal(true)
    expect(isHeading('x ==> step 2 <==')).to.equal(false)
  })
})
