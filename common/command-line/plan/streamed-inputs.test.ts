import { expect } from 'chai'
import fc from 'fast-check'
import { folders, planOf } from '../../../testing/support/plan-one.ts'
import { streamedInputs } from './streamed-inputs.ts'

describe('inputs that may be read while they arrive', () => {
  const streamed: [string, string[]][] = [
    ['-i {{in_1}} -c copy {{out_1}}', ['in_1']],
    ['-i {{in_1}} -i {{in_2}} -map 0:v -map 1:a {{out_1}}', ['in_1', 'in_2']],
    ['-y -t 5 -i {{in_1}} -vf scale=320:-2 {{out_1}}', ['in_1']],
    ['-i {{in_1}} -ss 10 -t 5 {{out_1}}', ['in_1']],
    ['-i {{in_1}} -i {{in_2}} -filter_complex [0:v][1:v]overlay {{out_1}}', ['in_1', 'in_2']],
    ['-i {{in_1}} -vf subtitles={{in_2}} {{out_1}}', ['in_1']],
    ['-loop 1 -i {{in_1}} -i {{in_2}} -shortest {{out_1}}', ['in_2']],
    ['-f lavfi -i sine=d=5 -i {{in_1}} {{out_1}}', ['in_1']],
  ]
  for (const [command, aliases] of streamed) {
    it(`streamed inputs are ${aliases.join(' and ')} of ${command}`, () => {
      expect(streamedInputs(planOf(command))).to.deep.equal(aliases)
    })
  }

  const whole = [
    '-ss 10 -i {{in_1}} {{out_1}}',
    '-sseof -3 -i {{in_1}} {{out_1}}',
    '-stream_loop 2 -i {{in_1}} {{out_1}}',
    '-i {{in_1}} -i {{in_1}} -map 0:v -map 1:a {{out_1}}',
    '-i {{in_1}} -vf subtitles={{in_1}} {{out_1}}',
    '-i "concat:{{in_1}}|{{in_2}}" {{out_1}}',
    '-f concat -safe 0 -i {{in_1}} {{out_1}}',
    '-f concat -i {{in_2}} -i {{in_1}} {{out_1}}',
    '-i {{in_1}} -pass 1 {{out_1}}',
    '-f mp4 -i {{in_1}} {{out_1}}',
    '-fflags +genpts -i {{in_1}} {{out_1}}',
    '-nosuchoption 1 -i {{in_1}} {{out_1}}',
    '-f lavfi -i "movie={{in_1}}" {{out_1}}',
  ]
  for (const command of whole) {
    it(`streams no input of ${command}`, () => {
      expect(streamedInputs(planOf(command))).to.deep.equal([])
    })
  }

  it('streams no input of a chain, whose later steps may read it again', () => {
    const commands = ['-i {{in_1}} {{out_1}}', '-i {{out_1}} {{out_2}}']
    const outputs = { out_1: 'a.mp4', out_2: 'b.mp4' }
    expect(streamedInputs(planOf(commands, { outputs }))).to.deep.equal([])
  })

  it('streamed inputs are none of the files of an archive', () => {
    expect(streamedInputs(planOf('-i clip.mp4 out.mp4', folders))).to.deep.equal([])
  })

  it('streamed inputs stand once in the command, behind -i, with any text around them', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '-i {{in_1}}',
        '-i {{in_2}}',
        '-ss 1',
        '-t 1',
        '-vf movie={{in_1}},null',
        '-an',
        '-vf subtitles={{in_2}}',
        '-c:s copy',
        '-stream_loop 1',
        '-map 0',
      ),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(pieces, (parts) => {
        const command = `-i {{in_1}} ${parts.join(' ')} {{out_1}}`
        for (const alias of streamedInputs(planOf(command))) {
          expect(command.split(alias).length, command).to.equal(2)
          const before = command.slice(0, command.indexOf(`-i {{${alias}}}`))
          const own = before.slice(before.lastIndexOf('}}') + 1)
          expect(own, command).not.to.match(/-ss|-stream_loop/)
        }
      }),
    )
  })
})
