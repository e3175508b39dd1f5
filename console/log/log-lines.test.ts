import { expect } from 'chai'
import fc from 'fast-check'
import { createLogLines, found, plainText } from './log-lines.ts'

describe('the lines of a log', () => {
  const read = (text: string) => {
    const log = createLogLines()
    log.append(text)
    return log.lines()
  }

  it('reads the same lines of a log in any pieces', () => {
    const text =
      '==> step 1 <==\n[info] Input #0\r\n[error] \n[info] frame=1\rframe=2\rframe=3\n[warning] last'
    const expected = [
      { text: '==> step 1 <==', level: null },
      { text: 'Input #0', level: 'info' },
      { text: '', level: 'error' },
      { text: 'frame=3', level: 'info' },
      { text: 'last', level: 'warning' },
    ]
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

  it('lines are information where an earlier service sends no level', () => {
    expect(read('Input #0\n[mov @ 0x1] text\n')).to.deep.equal([
      { text: 'Input #0', level: 'info' },
      { text: '[mov @ 0x1] text', level: 'info' },
    ])
  })

  it('lines are found by a part in any case, without their level', () => {
    const lines = read('[info] Error: x\n[error] fine\n[info] no ERROR\n')
    expect(found(lines, 'error')).to.deep.equal([0, 2])
    expect(found(lines, '')).to.deep.equal([])
    expect(plainText(lines)).to.equal('Error: x\nfine\nno ERROR\n')
  })

  it('lines are headings where the service wrote them alone', () => {
    expect(
      read('x ==> step 2 <==\n[info] ==> step 2 <==\n').map(({ level }) => level),
    ).to.deep.equal(['info', 'info'])
  })
})
