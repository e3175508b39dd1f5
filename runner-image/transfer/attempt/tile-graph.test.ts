import { expect } from 'chai'
import { stepOf } from '../../../testing/support/plan-one.ts'
import { isGrid, tileGraphArgv, needsStreams } from './tile-graph.ts'
import type { HeifItem } from '../../contents/heif-item.ts'

const phone: HeifItem = {
  tiles: [5, 6, 7, 8],
  tile: { width: 512, height: 512 },
  size: { width: 1000, height: 700 },
  changes: [
    { kind: 'turn', quarters: 3 },
    { kind: 'mirror', axis: 'horizontal' },
  ],
}

describe('joining the tiles of a picture', () => {
  it('puts them in rows, and then crops, turns and mirrors the whole', () => {
    const argv = tileGraphArgv(phone, '../in/in_1.heic', 'made.png')
    const turn = 'transpose=cclock'
    expect(argv[argv.indexOf('-filter_complex') + 1]).to.equal(
      [
        '[0:i:5][0:i:6][0:i:7][0:i:8]xstack=inputs=4:layout=0_0|512_0|0_512|512_512',
        'crop=1000:700:0:0:exact=1',
        turn,
        turn,
        turn,
        'hflip',
      ].join(','),
    )
    expect(argv.at(-1)).to.equal('made.png')
  })

  it('isGrid is true for a grid alone, not for one picture or pictures over each other', () => {
    expect(isGrid(phone)).to.equal(true)
    expect(isGrid({ ...phone, tiles: [] })).to.equal(false)
    expect(isGrid({ ...phone, tiles: [5, 6] })).to.equal(false)
  })

  const commands: [command: string, needs: boolean][] = [
    ['-i {{in_1}} {{out_1}}', false],
    ['-i {{in_1}} -map 0 {{out_1}}', false],
    ['-i {{in_1}} -map 0:v:0 -vf scale=16:9 {{out_1}}', false],
    ['-f lavfi -i color=red -i {{in_1}} -filter_complex [0:v][1:v]overlay {{out_1}}', false],
    ['-i {{in_1}} -map 0:3 {{out_1}}', true],
    ['-i {{in_1}} -map 0:v:12 {{out_1}}', true],
    ['-i {{in_1}} -filter_complex [0:0][0:1]hstack {{out_1}}', true],
    ['-i {{in_1}} -filter_complex [0:v:0][0:v:1]hstack {{out_1}}', true],
    ['-c:v hevc -i {{in_1}} {{out_1}}', true],
    ['-f mov -i {{in_1}} {{out_1}}', true],
  ]
  for (const [command, needs] of commands) {
    it(`${needs ? 'leaves' : 'changes'} the input of '${command}'`, () => {
      const step = stepOf(command, { inputAliases: ['in_1'], outputs: { out_1: 'o.png' } })
      expect(needsStreams(step, 'in_1')).to.equal(needs)
    })
  }
})
