import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { commandAdvice } from '../../common/command-line/advice/command-advice.ts'
import { planOf } from '../support/plan-one.ts'
import { runPlanned } from './runner/planned-run.ts'
import { useSupervised } from './runner/use-runner.ts'

const raw = String.raw
const source = '-f lavfi -i color=s=64x64:d=0.2'
const outputs = { out_1: 'a.mp4' }

function codesOf(command: string): (string | null)[] {
  const plan = planOf(command, { inputAliases: [], outputs })
  return commandAdvice(plan, { chained: false, declaredInputs: [] }).map(({ code }) => code)
}

describe('advice on a command that succeeds', () => {
  const supervised = useSupervised()
  const tailOf = async (command: string): Promise<string> => {
    const { exited } = await runPlanned(supervised, { command, outputs, inputPaths: {} })
    expect(exited.code).to.equal(0)
    return exited.tail
  }

  for (const [text, isDrawn] of [
    ["drawtext=text='50% off'", false],
    ["drawtext=text='50%% off'", false],
    [raw`drawtext=text='50\% off'`, false],
    [raw`"drawtext=text='50\\% off'"`, false],
    ["drawtext=text='%{pts'", false],
    [raw`drawtext=text='50\\\\% off'`, true],
    [raw`"drawtext=text='50\\\\% off'"`, true],
    [raw`'drawtext=text=50\\\\% off'`, true],
    ["drawtext=text='50% off':expansion=none", true],
    ["drawtext=text='%{pts}'", true],
  ] as const) {
    it(`the advice is that of FFmpeg on a % in ${text}`, async () => {
      const command = `${source} -vf ${text} {{out_1}}`
      expect(codesOf(command)).to.deep.equal(isDrawn ? [] : ['STRAY_PERCENT'])
      const complaint = /Stray %|Unterminated %\{\}/
      expect(complaint.test(await tailOf(command))).to.equal(!isDrawn)
    })
  }

  for (const [options, isIgnored] of [
    ['-c copy -t 1', true],
    ['-shortest', true],
    ['-preset fast', true],
    ['-movflags faststart', true],
    ['-fps_mode cfr', true],
    ['-abort_on empty_output', false],
    ['-auto_conversion_filters', false],
    ['-benchmark', false],
    ['-copytb 1', false],
    ['-copyts', false],
    ['-nocopyts', false],
    ['-cpuflags 0', false],
    ['-dts_delta_threshold 3', false],
    ['-filter_threads 1', false],
    ['-filter_complex_threads 1', false],
    ['-frame_drop_threshold 2', false],
    ['-ignore_unknown', false],
    ['-max_alloc 100000000', false],
    ['-max_error_rate 0.5', false],
    ['-start_at_zero', false],
    ['-timelimit 100', false],
    ['-vsync 1', false],
    ['-xerror', false],
  ] as const) {
    it(`the advice is that of FFmpeg on options behind the output: ${options}`, async () => {
      const command = `${source} {{out_1}} ${options}`
      expect(codesOf(command)).to.deep.equal(isIgnored ? ['TRAILING_OPTIONS'] : [])
      expect(/Trailing option/.test(await tailOf(command))).to.equal(isIgnored)
    })
  }

  for (const [options, tag] of [
    ['-c:v libx265', 'hev1'],
    ['-c:v hevc', 'hev1'],
    ['-c:v libx265 -tag:v hvc1', 'hvc1'],
    ['-c:v libx265 -vtag hvc1', 'hvc1'],
  ] as const) {
    it(`the advice is on the tag of HEVC that FFmpeg writes: ${options}`, async () => {
      const command = `${source} ${options} {{out_1}}`
      expect(codesOf(command)).to.deep.equal(tag === 'hev1' ? ['HEVC_TAG'] : [])
      await tailOf(command)
      const file = await readFile(path.join(supervised.container.job, 'work', 'a.mp4'), 'latin1')
      expect(file).to.contain(tag)
    })
  }
})
