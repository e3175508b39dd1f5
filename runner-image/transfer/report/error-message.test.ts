import { expect } from 'chai'
import { scrubbedLine } from '../../failure/readable-line.ts'
import { errorMessage } from './error-message.ts'

const inputs = { in_1: '../in/in_1.mp4', in_2: '../in/in_2', in_20: '../in/in_20.ttf' }

describe('the error message', () => {
  it("returns our sentence, then FFmpeg's last lines", () => {
    expect(errorMessage('FFmpeg refused the command', 'a\nb\n', {})).to.equal(
      'FFmpeg refused the command: a | b',
    )
  })
  it('returns our sentence alone without a log', () => {
    expect(errorMessage('Cancelled by request', '', {})).to.equal('Cancelled by request')
  })
  it('names inputs as the user did', () => {
    const log = "Error opening '../in/in_1.mp4'\n/job/in/in_20.ttf and ../in/in_2"
    expect(errorMessage('x', log, inputs)).to.equal(
      "x: Error opening '{{in_1}}' | {{in_20}} and {{in_2}}",
    )
  })
  it('the error message holds no internal paths and no memory addresses', () => {
    expect(errorMessage('x', '[mp4 @ 0x55d0aa] /job/work/out.mp4: no', {})).to.equal(
      'x: [mp4] out.mp4: no',
    )
  })
  it('the error message holds no control characters', () => {
    const message = errorMessage('x\u0007', 'title: \u001b[31mred\u001b[0m\u0085end\r', {})
    expect(message).to.equal('x : title: red end')
  })
  it('the error message holds nothing that turns the direction of text or ends a line', () => {
    expect(errorMessage('a\u202eb\u2066c\u2028d', 'e\u202df', {})).to.equal('abc d: ef')
  })
  it('the error message ends within 4,000 characters with the newest lines', () => {
    const log = Array.from({ length: 50 }, (_, line) => `${String(line)} ${'y'.repeat(900)}`).join(
      '\n',
    )
    const message = errorMessage('FFmpeg ended with exit code 187', log, {})
    expect(message.length).to.be.at.most(4000)
    expect(message).to.match(/^FFmpeg ended with exit code 187: 46 y+ \| 47 y+ \| 48 y+ \| 49 y+$/)
  })
})

describe('a line of the log', () => {
  it('keeps its indentation, as a terminal shows it', () => {
    expect(scrubbedLine('\t"input_i" : "-10.36",\r', {})).to.equal('\t"input_i" : "-10.36",')
    expect(scrubbedLine('    I:         -10.3 LUFS', {})).to.equal('    I:         -10.3 LUFS')
  })
  it('names inputs as the user did, and holds no escapes', () => {
    expect(scrubbedLine("  from '../in/in_1.mp4':\u001b[31m", inputs)).to.equal(
      "  from '{{in_1}}':",
    )
  })
})
