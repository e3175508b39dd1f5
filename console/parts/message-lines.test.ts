import { expect } from 'chai'
import { linesOf } from './message-lines.ts'

describe('linesOf', () => {
  it('linesOf returns the lines that the service joined by a bar, and none without a message', () => {
    expect(
      linesOf("FFmpeg refused the command: No such filter: 'a' | Error opening out"),
    ).to.deep.equal(["FFmpeg refused the command: No such filter: 'a'", 'Error opening out'])
    expect(linesOf('one\ntwo')).to.deep.equal(['one', 'two'])
    expect(linesOf("the filter 'a|b'")).to.deep.equal(["the filter 'a|b'"])
    expect([linesOf(null), linesOf('')]).to.deep.equal([[], []])
  })
})
