import { expect } from 'chai'
import { stepOf } from '../../../testing/support/plan-one.ts'
import { watchLog } from './log-watch.ts'

describe('what the log of a command says beside its end', () => {
  const both = '-i {{in_1}} -i {{in_2}} {{out_1}}'

  function found(command: string, lines: readonly string[]) {
    const watch = watchLog(stepOf(command))
    for (const line of lines) watch.read(line)
    return watch.warnings()
  }
  const glyph = (code: number) =>
    `[Parsed_subtitles_0 @ 0x7f] fontselect: failed to find any fallback with glyph 0x${code.toString(16)} for font: (Arial, 400, 0)`

  it('ordinary lines of a log have no warning', () => {
    expect(found(both, ['Input #0, mov', '[libx264 @ 0x5] frame I:1', ''])).to.deep.equal([])
  })

  it('counts each character without a font once, and names five', () => {
    const lines = [0x65e5, 0x672c, 0x65e5, 0x8a9e, 0x4e00, 0x4e8c, 0x4e09, 0x56db].map(glyph)
    const [warning] = found(both, lines)
    expect(warning?.message).to.contain("'日' (U+65E5), '本' (U+672C)")
    expect(warning?.message).to.contain(' and 2 more: they are boxes')
  })

  for (const [line, alias] of [
    ['[vist#1:0/h264 @ 0x1] [dec:h264 @ 0x2] corrupt decoded frame', 'in_2'],
    ['[in#0/mpegts @ 0x1] corrupt input packet in stream 0', 'in_1'],
    ['[h264 @ 0x1] error while decoding MB 3 4, bytestream -5', null],
    ['[mov,mp4,m4a,3gp,3g2,mj2 @ 0x1] stream 0, offset 0x30: partial file', null],
  ] as const) {
    it(`takes ${alias ?? 'no input by name'} from '${line}'`, () => {
      const warnings = found(both, [line])
      expect(warnings.map((one) => [one.code, one.alias])).to.deep.equal([['DAMAGED_INPUT', alias]])
    })
  }

  it('a warning means the only input where a line names none', () => {
    const [warning] = found('-i {{in_2}} {{out_1}}', [
      '[h264 @ 0x1] error while decoding MB 3 4, bytestream -5',
    ])
    expect(warning?.alias).to.equal('in_2')
  })
})
