import { expect } from 'chai'
import { planOf } from '../../../testing/support/plan-one.ts'
import { growthOf } from './append-only-formats.ts'

describe('an output that is still written', () => {
  const growths: readonly [command: string, file: string, growth: string | null][] = [
    ['-c copy', 'o.ts', 'appended'],
    ['-c copy', 'O.M2TS', 'appended'],
    ['-c:a aac', 'o.aac', 'appended'],
    ['-c:a libopus', 'o.opus', 'appended'],
    ['-c copy', 'o.mkv', 'headed'],
    ['-c copy', 'o.webm', 'headed'],
    ['-vn', 'o.mp3', 'headed'],
    ['-vn', 'o.flac', 'headed'],
    ['-c copy -f mpegts', 'o.mp4', 'appended'],
    ['-c copy -f matroska', 'o.mp4', 'headed'],
    ['-c copy -f mp4', 'o.ts', null],
    ['-c copy', 'o.mp4', null],
    ['-c copy -movflags +faststart', 'o.mp4', null],
    ['-c copy -movflags frag_keyframe+empty_moov', 'o.mp4', 'headed'],
    ['-c copy -movflags +frag_keyframe -movflags +default_base_moof', 'o.mov', 'headed'],
    ['-c copy -movflags frag_keyframe+empty_moov+faststart', 'o.mp4', null],
    ['-c copy -movflags frag_keyframe+global_sidx', 'o.mp4', null],
    ['-c copy -movflags frag_keyframe-empty_moov', 'o.mp4', null],
    ['-c copy -movflags hybrid_fragmented', 'o.mp4', null],
    ['-c copy -cues_to_front 1', 'o.mkv', null],
    ['-c copy -reserve_index_space 6M', 'o.mkv', null],
    ['-vn', 'o.wav', null],
    ['-vn', 'o.m4a', null],
    ['-c copy', 'o.avi', null],
    ['-frames:v 1', 'o.png', null],
    ['-c copy -f unheard', 'o', null],
  ]
  for (const [options, file, growth] of growths) {
    it(`an output that is still written is ${growth ?? 'left alone'}: ${options} ${file}`, () => {
      expect(growthsOf(`-i {{in_1}} ${options} {{out_1}}`, { out_1: file })).to.deep.equal([growth])
    })
  }

  it('an output is judged by its own options, not by those of another output', () => {
    expect(
      growthsOf('-i {{in_1}} -c copy -cues_to_front 1 {{out_1}} -c copy {{out_2}}', {
        out_1: 'a.mkv',
        out_2: 'b.mkv',
      }),
    ).to.deep.equal([null, 'headed'])
  })

  it('leaves an output alone that is a leg of tee', () => {
    const command = '-i {{in_1}} -map 0 -c copy -f tee "{{out_1}}|{{out_2}}"'
    expect(growthsOf(command, { out_1: 'a.ts', out_2: 'b.mkv' })).to.deep.equal([null, null])
  })
})

function growthsOf(command: string, outputs: Record<string, string>) {
  const plan = planOf(command, { outputs })
  const [step] = plan.steps
  if (step === undefined) throw new Error('the plan has no step')
  return plan.outputs.map((output) => growthOf(output, step))
}
