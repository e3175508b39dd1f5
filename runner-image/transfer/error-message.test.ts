import { expect } from 'chai'
import { errorMessage } from './error-message.ts'

const inputs = { in_1: '../in/in_1.mp4', in_2: '../in/in_2', in_20: '../in/in_20.ttf' }

describe('the error message', () => {
  it("is our sentence, then FFmpeg's last lines", () => {
    expect(errorMessage('FFmpeg refused the command', 'a\nb\n', {})).to.equal(
      'FFmpeg refused the command: a | b',
    )
  })
  it('is the sentence alone without a log', () => {
    expect(errorMessage('Cancelled by request', '', {})).to.equal('Cancelled by request')
  })
  it('names inputs as the user did', () => {
    const log = "Error opening '../in/in_1.mp4'\n/job/in/in_20.ttf and ../in/in_2"
    expect(errorMessage('x', log, inputs)).to.equal(
      "x: Error opening '{{in_1}}' | {{in_20}} and {{in_2}}",
    )
  })
  it('holds no internal paths and no memory addresses', () => {
    expect(errorMessage('x', '[mp4 @ 0x55d0aa] /job/work/out.mp4: no', {})).to.equal(
      'x: [mp4] out.mp4: no',
    )
  })
  it('holds no control characters', () => {
    const message = errorMessage('x\u0007', 'title: \u001b[31mred\u001b[0m\u0085end\r', {})
    expect(message).to.equal('x : title: red end')
  })
  it('ends within 4,000 characters with the newest lines', () => {
    const log = Array.from({ length: 50 }, (_, line) => `${String(line)} ${'y'.repeat(900)}`).join(
      '\n',
    )
    const message = errorMessage('FFmpeg ended with exit code 187', log, {})
    expect(message.length).to.be.at.most(4000)
    expect(message).to.match(/^FFmpeg ended with exit code 187: 46 y+ \| 47 y+ \| 48 y+ \| 49 y+$/)
  })
})
