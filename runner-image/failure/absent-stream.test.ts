import { expect } from 'chai'
import { stepOf } from '../../testing/support/plan-one.ts'
import { absentStream } from './absent-stream.ts'

const map = (value: string) => [
  "Stream map '' matches no streams.",
  "To ignore this, add a trailing '?' to the map.",
  `Failed to set value '${value}' for option 'map': Invalid argument`,
]
const noStream = (format: string) => [
  `[out#0/${format} @ 0x1] Output file does not contain any stream`,
]
const ofGraph = (kind: string, graph: string) => [
  `[fc#0 @ 0x1] Stream specifier ':${kind}' in filtergraph description ${graph} matches no streams.`,
]

describe('the kind of stream that an input lacks', () => {
  const cases: [string, string[], string | null][] = [
    [
      '-i {{in_1}} -map 0:v -map 0:a {{out_1}}',
      map('0:a'),
      'in_1 has no sound: -map 0:a takes nothing; -map 0:a? goes on without',
    ],
    [
      '-i {{in_1}} -i {{in_2}} -map 1:s {{out_1}}',
      map('1:s'),
      'in_2 has no subtitles: -map 1:s takes nothing; -map 1:s? goes on without',
    ],
    ['-i {{in_1}} -map 0:a:1 {{out_1}}', map('0:a:1'), null],
    ['-i {{in_1}} -vn {{out_1}}', noStream('mp4'), 'in_1 has no sound'],
    ['-i {{in_1}} -i {{in_2}} -vn {{out_1}}', noStream('mp4'), 'The inputs have no sound'],
    ['-i {{in_1}} -vn -an {{out_1}}', noStream('mp4'), null],
    ['-i {{in_1}} -vn -map 0:v {{out_1}}', noStream('mp4'), null],
    ['-i {{in_1}} {{out_1}}', noStream('mp4'), null],
    [
      '-i {{in_1}} -filter_complex [0:a]volume=2[a] -map [a] {{out_1}}',
      ofGraph('a', '[0:a]volume=2[a]'),
      'in_1 has no sound, which the filter at [0:a] needs',
    ],
    [
      '-i {{in_1}} -i {{in_2}} -filter_complex [0:a][1:a]amix[a] -map [a] {{out_1}}',
      ofGraph('a', '[0:a][1:a]amix[a]'),
      null,
    ],
    ['-i {{in_1}} {{out_1}}', ["Unknown encoder 'x'"], null],
  ]
  for (const [command, lines, sentence] of cases) {
    it(`${command} with '${lines.at(-1)}' → ${String(sentence)}`, () => {
      expect(absentStream(stepOf(command), lines.join('\n'))).to.equal(sentence)
    })
  }

  it('an output that holds sound alone needs no -vn', () => {
    const step = stepOf('-i {{in_1}} {{out_1}}', { outputs: { out_1: 'a.mp3' } })
    expect(absentStream(step, noStream('mp3')[0] ?? '')).to.equal('in_1 has no sound')
  })
})
