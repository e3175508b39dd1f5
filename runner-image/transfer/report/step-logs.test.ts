import { expect } from 'chai'
import { createStepLogs } from './step-logs.ts'

describe("FFmpeg's log on its way to the gateway", () => {
  it('joins lines of a step into one chunk', () => {
    const logs = createStepLogs()
    logs.add(0, ['a', 'b'], 0)
    logs.add(1, ['c'], 0)
    expect(logs.pending(10)).to.deep.equal([
      { step: 0, sequence: 0, text: 'a\nb\n' },
      { step: 1, sequence: 1, text: 'c\n' },
    ])
  })
  it('offers the same chunk until it has arrived, and never changes what was offered', () => {
    const logs = createStepLogs()
    logs.add(0, ['a'], 0)
    const offered = logs.pending(10)
    logs.add(0, ['b'], 0)
    expect(logs.pending(1)).to.deep.equal([{ step: 0, sequence: 0, text: 'a\n' }])
    logs.sent(offered)
    expect(logs.pending(10)).to.deep.equal([{ step: 0, sequence: 1, text: 'b\n' }])
  })
  it('marks the place where lines were left out', () => {
    const logs = createStepLogs()
    logs.add(0, ['a'], 12)
    expect(logs.pending(1)[0]?.text).to.equal('… 12 lines left out …\na\n')
  })
  it('keeps the beginning and the end of a flood', () => {
    const logs = createStepLogs()
    for (let line = 0; line < 40_000; line++) logs.add(0, [`${String(line)} ${'x'.repeat(90)}`], 0)
    logs.finish()
    const lines = logs.pending(100).flatMap(({ text }) => text.split('\n').filter(Boolean))
    expect(lines[0]?.startsWith('0 ')).to.equal(true)
    expect(lines.at(-1)?.startsWith('39999 ')).to.equal(true)
    expect(lines.filter((line) => line.includes('left out')).length).to.equal(1)
    expect(lines.join('\n').length).to.be.at.most(1024 * 1024 + 100)
  })
})
