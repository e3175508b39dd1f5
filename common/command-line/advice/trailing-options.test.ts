import { expect } from 'chai'
import { stepOf } from '../../../testing/support/plan-one.ts'
import { trailingOptions } from './trailing-options.ts'

const found = (behind: string): string | null =>
  trailingOptions(stepOf(`-i {{in_1}} {{out_1}} ${behind}`))

describe('options behind the last output', () => {
  for (const options of ['-c copy -t 1', '-shortest', '-preset fast', '-vf scale=64:-2', '-an']) {
    it(`options behind the last output are ignored by FFmpeg: ${options}`, () => {
      expect(found(options)).to.equal(options)
    })
  }

  for (const options of [
    '',
    '-y',
    '-hide_banner -loglevel error',
    '-copyts',
    '-filter_complex hflip',
  ]) {
    it(`no option stands behind the last output: '${options}'`, () => {
      expect(found(options)).to.equal(null)
    })
  }

  it('options behind the last output are named without those that FFmpeg takes', () => {
    expect(found('-y -c:v libx264 -copyts -nostdin -crf 20')).to.equal('-c:v libx264 -crf 20')
  })

  it('options between outputs are not reported', () => {
    const outputs = { outputs: { out_1: 'a.mp4', out_2: 'b.mp4' } }
    const step = stepOf('-i {{in_1}} {{out_1}} -c copy -t 1 {{out_2}}', outputs)
    expect(trailingOptions(step)).to.equal(null)
  })
})
