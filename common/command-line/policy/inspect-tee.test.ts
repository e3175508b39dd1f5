import { expect } from 'chai'
import { planOf, refusalOf } from '../../../testing/support/plan-one.ts'
import { parseTee } from '../grammar/tee.ts'

const outputs = { outputs: { out_1: 'a.mp4', out_2: 'b.ts' } }
const tee = (legs: string): string => refusalOf(`-i {{in_1}} -f tee "${legs}"`, outputs)

describe('legs of tee', () => {
  it('reads each leg of tee as an output with options of its own', () => {
    const step = planOf(
      `-i {{in_1}} -f tee "[f=mp4:movflags=+faststart]{{out_1}}|[f=mpegts]{{out_2}}"`,
      outputs,
    ).steps[0]
    expect(step?.writes).to.deep.equal(['out_1', 'out_2'])
    expect(step?.groups.at(-1)?.target).to.deep.equal([
      '[f=mp4:movflags=+faststart]',
      'a.mp4',
      '|[f=mpegts]',
      'b.ts',
    ])
  })

  const refused: [string, string][] = [
    ['[f=mp4]/tmp/a|{{out_1}}', 'command_forbidden /tmp/a'],
    ['{{out_1}}|http://h/a', 'command_forbidden http://h/a'],
    ['{{out_1}}|../b.ts', 'command_forbidden ../b.ts'],
    ['{{out_1}}|b.ts', 'command_alias b.ts'],
    ['{{out_1}}|{{in_1}}', 'command_alias {{in_1}}'],
    ['{{out_1}}|a{{out_2}}', 'command_alias a{{out_2}}'],
    ['[f=tee]{{out_1}}|{{out_2}}', 'command_forbidden tee'],
    ['[f=hls:method=PUT]{{out_1}}', 'command_forbidden method'],
    ['[f=hls:hls_segment_filename=/tmp/s]{{out_1}}', 'command_forbidden /tmp/s'],
    ['[f=mp4{{out_1}}', 'command_syntax f'],
    ['[mp4]{{out_1}}', 'command_syntax m'],
  ]
  for (const [legs, expected] of refused) {
    it(`legs of tee are refused in ${legs}: ${expected}`, () => {
      expect(tee(legs)).to.equal(expected)
    })
  }

  it('splits legs of tee as FFmpeg does, with its own quoting', () => {
    const parsed = parseTee(String.raw` [f=mpegts:select=\'v\:0,a\']'a|b'.ts|[]c.ts|d\|e`)
    expect(parsed.ok ? parsed.legs.map(({ target }) => target) : parsed.reason).to.deep.equal([
      'a|b.ts',
      'c.ts',
      'd|e',
    ])
    const options = parsed.ok ? parsed.legs[0]?.options : []
    expect(options?.map(({ name, value }) => [name, value])).to.deep.equal([
      ['f', 'mpegts'],
      ['select', 'v:0,a'],
    ])
  })
})
