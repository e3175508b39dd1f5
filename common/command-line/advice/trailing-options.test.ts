import { expect } from 'chai'
import { stepOf } from '../../../testing/support/plan-one.ts'
import { trailingOptions } from './trailing-options.ts'

const found = (behind: string): string | null =>
  trailingOptions(stepOf(`-i {{in_1}} {{out_1}} ${behind}`))

describe('options behind the last output', () => {
  for (const options of ['-c copy -t 1', '-shortest', '-preset fast', '-vf scale=64:-2', '-an']) {
    it(`are ignored by FFmpeg: ${options}`, () => {
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
    it(`are those of the whole command: '${options}'`, () => {
      expect(found(options)).to.equal(null)
    })
  }

  it('are named without those that FFmpeg takes', () => {
    expect(found('-y -c:v libx264 -copyts -nostdin -crf 20')).to.equal('-c:v libx264 -crf 20')
  })

  it('are none between outputs', () => {
    const outputs = { outputs: { out_1: 'a.mp4', out_2: 'b.mp4' } }
    const step = stepOf('-i {{in_1}} {{out_1}} -c copy -t 1 {{out_2}}', outputs)
    expect(trailingOptions(step)).to.equal(null)
  })
})
