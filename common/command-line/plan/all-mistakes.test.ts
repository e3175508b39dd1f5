import { expect } from 'chai'
import { errorsOf } from '../../../testing/support/plan-one.ts'

describe('all mistakes of a command', () => {
  const cases: [string, string, string[]][] = [
    [
      'unknown aliases and an operator behind them',
      '-i {{in_9}} {{out_7}} && x',
      ['4 {{in_9}}', '13 {{out_7}}', '23 &&'],
    ],
    [
      'each operator, and an unknown alias behind one',
      '-i {{in_1}} {{out_1}} | tee x ; cp {{in_7}} y',
      ['23 |', '31 ;', '36 {{in_7}}'],
    ],
    [
      'filters and formats that are not available',
      '-i {{in_1}} -vf frei0r=x,ladspa=y -f rtsp {{out_1}}',
      ['17 frei0r', '26 ladspa', '38 rtsp'],
    ],
    ['options that FFmpeg does not have', '-i {{in_1}} -Crf 20 -o {{out_1}}', ['13 -Crf', '21 -o']],
    [
      'aliases in a text whose quote is not closed',
      '-i {{in_9}} -vf "scale=1:2 {{out_1}}',
      ['4 {{in_9}}', '17 "'],
    ],
    ['an unknown alias once', '-i {{in_9}} -i << in_9 >> {{out_1}}', ['4 {{in_9}}']],
    [
      'the first word alone of a text without quotes',
      '-i {{in_1}} -metadata title=My Movie Part 2 {{out_1}}',
      ['32 Movie'],
    ],
    [
      'no option without value where an operator cuts it off',
      '-i {{in_1}} -vf <(cat f) {{out_1}}',
      ['17 <(cat'],
    ],
    ['a mistake at the start alone', '$ ffmpeg -i {{in_1}} && x', ['1 $']],
  ]
  for (const [what, command, places] of cases) {
    it(`a refusal names ${what}`, () => {
      const found = errorsOf(command).map(({ position, token }) => `${position} ${token}`)
      expect(found).to.deep.equal(places)
    })
  }

  it('a refusal names twenty mistakes at most', () => {
    const inputs = Array.from({ length: 30 }, (_, index) => `-i {{in_${index + 10}}}`)
    expect(errorsOf(`${inputs.join(' ')} {{out_1}}`)).to.have.length(20)
  })
})
