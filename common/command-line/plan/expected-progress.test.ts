import { expect } from 'chai'
import { expectedProgress } from './expected-progress.ts'
import { planOf, stepOf } from '../../../testing/support/plan-one.ts'
import { secondsOfTimeText } from '../grammar/time-text.ts'

describe('expectedProgress', () => {
  const cases: [string, number | null][] = [
    ['-i {{in_1}} {{out_1}}', 60],
    ['-i {{in_1}} -t 10 {{out_1}}', 10],
    ['-i {{in_1}} -t 100 {{out_1}}', 60],
    ['-i {{in_1}} -ss 20 {{out_1}}', 40],
    ['-ss 50 -i {{in_1}} {{out_1}}', 10],
    ['-i {{in_1}} -ss 10 -to 00:00:25.5 {{out_1}}', 15.5],
    ['-ss 10 -to 20 -i {{in_1}} {{out_1}}', 10],
    ['-sseof -5 -i {{in_1}} {{out_1}}', 5],
    ['-i {{in_1}} -i {{in_2}} {{out_1}}', 60],
    ['-i {{in_1}} -i {{in_2}} -shortest {{out_1}}', 30],
    ['-stream_loop 2 -i {{in_2}} {{out_1}}', 90],
    ['-stream_loop -1 -i {{in_2}} {{out_1}}', null],
    ['-stream_loop -1 -i {{in_2}} -i {{in_1}} -shortest {{out_1}}', 60],
    ['-loop 1 -i {{in_1}} -t 7 {{out_1}}', 7],
    ['-f lavfi -i testsrc=duration=12:size=2x2 {{out_1}}', 12],
    ['-f lavfi -i testsrc {{out_1}}', null],
    ['-f lavfi -t 3 -i testsrc {{out_1}}', 3],
    ['-i {{in_1}} -vf setpts=2*PTS {{out_1}}', null],
    ['-i {{in_1}} -filter_complex "[0:v]hflip[a];[a]tpad=stop=-1" {{out_1}}', null],
    ['-i {{in_1}} -vf scale=2:2 {{out_1}}', 60],
    ['-copyts -i {{in_1}} {{out_1}}', null],
    ['-ss 90 -i {{in_1}} {{out_1}}', null],
    ['-i {{in_1}} {{out_1}} -t 5 -f null -', 5],
    ['-i {{in_1}} -i {{in_2}} -map 1:a {{out_1}}', 30],
    ['-i {{in_1}} -i {{in_2}} -map 1 -map -1:s {{out_1}}', 30],
    ['-i {{in_1}} -i {{in_2}} -map 0:v:0 -map 1:a? -shortest {{out_1}}', 30],
    ['-i {{in_1}} -i {{in_2}} -filter_complex "[1:v]hflip[v]" -map "[v]" -map 1:a {{out_1}}', 60],
    ['-ss 10 -i {{in_1}} -to 20 {{out_1}}', 20],
    ['-ss 10 -t 20 -i {{in_1}} -ss 5 {{out_1}}', 15],
    ['-sseof -10 -t 4 -i {{in_1}} {{out_1}}', 4],
    ['-stream_loop -1 -i {{in_2}} -t 100 {{out_1}}', 100],
    ['-i {{in_1}} -itsoffset 5 -i {{in_1}} {{out_1}}', 65],
    ['-itsscale 2 -i {{in_1}} {{out_1}}', null],
    ['-loop 1 -i {{in_3}} -i {{in_2}} -shortest {{out_1}}', 30],
    ['-loop 1 -i {{in_3}} -i {{in_2}} -filter_complex "[0][1]overlay=shortest=1" {{out_1}}', 30],
    ['-loop 1 -i {{in_3}} -i {{in_2}} {{out_1}}', null],
    ['-i {{in_1}} -i {{in_3}} -filter_complex overlay=10:10 {{out_1}}', 60],
    ['-f lavfi -i color=c=red:d=5,fade=d=1 {{out_1}}', 5],
    ['-f lavfi -i testsrc2=d=3 -f lavfi -i sine=duration=5 {{out_1}}', 5],
    ['-f lavfi -i testsrc2=d=3 -f lavfi -i sine=duration=5 -shortest {{out_1}}', 3],
    ['-f lavfi -i anullsrc -i {{in_1}} -shortest {{out_1}}', 60],
    ['-f lavfi -i anullsrc -i {{in_1}} {{out_1}}', null],
    ['-f lavfi -i testsrc2=d=3,loop=5:25 {{out_1}}', null],
    ['-i {{in_1}} -af atempo=2 {{out_1}}', null],
    ['-i {{in_1}} -af asetrate=22050 {{out_1}}', null],
    ['-i {{in_1}} -filter_complex "[0:v][0:a][0:v][0:a]concat=n=2:v=1:a=1" {{out_1}}', null],
    ['-i {{in_1}} -vf fps=1,scale=2:2 {{out_1}}', 60],
    ['-i {{in_1}} -t 10ms {{out_1}}', 0.01],
  ]
  for (const [command, seconds] of cases) {
    it(`the expected progress is ${seconds} seconds for ${command}`, () => {
      const step = stepOf(command, { inputAliases: ['in_1', 'in_2', 'in_3'] })
      expect(expectedProgress(step, { in_1: 60, in_2: 30, in_3: null })).to.deep.equal({
        seconds,
        frames: null,
      })
    })
  }

  it('counts frames when the command does, and returns null for stills', () => {
    const frames = (command: string): unknown =>
      expectedProgress(stepOf(command, { outputs: { out_1: 'a.png' } }), { in_1: 60 })
    expect(frames('-i {{in_1}} -frames:v 250 {{out_1}}')).to.deep.equal({
      seconds: null,
      frames: 250,
    })
    expect(frames('-i {{in_1}} {{out_1}}')).to.deep.equal({ seconds: null, frames: null })
  })

  it('returns the length of the output of an earlier step', () => {
    const outputs = { outputs: { out_1: 'a.mp4', out_2: 'b.mp4' } }
    const [, second] = planOf(['-i {{in_1}} {{out_1}}', '-i {{out_1}} {{out_2}}'], outputs).steps
    if (second === undefined) throw new Error('the plan has no second step')
    expect(expectedProgress(second, { in_1: 60, out_1: 12 }).seconds).to.equal(12)
  })

  it('returns null when the duration of the input is unknown', () => {
    expect(expectedProgress(stepOf('-i {{in_1}} {{out_1}}'), {})).to.deep.equal({
      seconds: null,
      frames: null,
    })
  })
})

describe('secondsOfTimeText', () => {
  const cases: [string, number | null][] = [
    ['90', 90],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['1:30', 90],
    ['01:02:03.25', 3723.25],
    ['-5', -5],
    ['200ms', 0.2],
    ['2s', 2],
    ['', null],
    ['abc', null],
    ['1:2:3:4', null],
  ]
  for (const [text, seconds] of cases) {
    it(`reads ${JSON.stringify(text)} as ${seconds}`, () => {
      expect(secondsOfTimeText(text)).to.equal(seconds)
    })
  }
})
