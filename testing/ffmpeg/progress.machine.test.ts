import { expect } from 'chai'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { expectedProgress } from '../../common/command-line/plan/expected-progress.ts'
import { defaultMaxPixels, finalArgv } from '../../common/command-line/plan/final-argv.ts'
import { stepOf } from '../support/plan-one.ts'
import { stepPercent } from '../../runner-image/transfer/report/progress-percent.ts'
import { useSupervised } from './runner/use-runner.ts'

const inputPaths = { in_1: '../in/in_1.mp4', in_2: '../in/in_2.mp3', in_3: '../in/in_3.png' }

describe('progress', () => {
  const supervised = useSupervised()
  const seconds: Record<string, number | null> = {}
  before(async () => {
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=d=4:s=128x96']
    const tone = (length: number) => ['-f', 'lavfi', '-i', `sine=d=${String(length)}`]
    await input('in_1', [...picture, ...tone(4), '-c:v', 'libx264', '-g', '25', '-bf', '0'])
    await input('in_2', tone(2))
    await input('in_3', [...picture, '-frames:v', '1'])
  })

  /** Command, output, and FFmpeg's last report in seconds or frames. */
  const known: [string, string, number][] = [
    ['-i {{in_1}} {{out_1}}', 'out.mp4', 4],
    ['-i {{in_1}} -c copy {{out_1}}', 'out.mkv', 4],
    ['-i {{in_1}} -t 1 {{out_1}}', 'out.mp4', 1],
    ['-ss 1 -i {{in_1}} -to 2 {{out_1}}', 'out.mp4', 2],
    ['-ss 1 -to 2 -i {{in_1}} {{out_1}}', 'out.mp4', 1],
    ['-i {{in_1}} -ss 1 -to 2 {{out_1}}', 'out.mp4', 1],
    ['-sseof -1 -i {{in_1}} {{out_1}}', 'out.mp4', 1],
    ['-i {{in_1}} -i {{in_2}} -map 0:v -map 1:a -shortest {{out_1}}', 'out.mp4', 2],
    ['-i {{in_1}} -i {{in_2}} -map 1 {{out_1}}', 'out.mp3', 2],
    ['-stream_loop 2 -i {{in_2}} {{out_1}}', 'out.mp3', 6],
    ['-loop 1 -i {{in_3}} -i {{in_2}} -shortest {{out_1}}', 'out.mp4', 2],
    ['-loop 1 -t 3 -i {{in_3}} {{out_1}}', 'out.mp4', 3],
    ['-f lavfi -i color=d=3,fade=d=1 {{out_1}}', 'out.mp4', 3],
    ['-i {{in_1}} -vf fps=5,scale=64:-2 {{out_1}}', 'out.mp4', 4],
    ['-i {{in_1}} -vn {{out_1}}', 'out.m4a', 4],
    ['-i {{in_1}} -frames:v 30 {{out_1}}', 'out.mp4', 30],
    ['-i {{in_1}} -frames:v 1 {{out_1}}', 'out.png', 1],
    ['-i {{in_1}} -f null -', 'out.mp4', 4],
  ]
  for (const [command, output, whole] of known) {
    it(`progress reaches the end of ${command} (${output}) and never goes back`, async () => {
      const { expected, reports, percents } = await follow(command, output)
      expect(expected.seconds ?? expected.frames).to.be.closeTo(whole, whole * 0.05)
      const last = reports.at(-1)
      const reached = expected.frames === null ? (last?.outTimeUs ?? 0) / 1e6 : last?.frame
      // the last frame's beginning is reported
      expect(reached).to.be.within(whole * 0.75, whole * 1.07)
      expect(percents).to.deep.equal(percents.toSorted((a, b) => Number(a) - Number(b)))
      expect(percents.at(-1)).to.be.within(75, 99)
    })
  }

  for (const command of [
    '-i {{in_1}} -vf setpts=2*PTS -an {{out_1}}',
    '-i {{in_1}} -af atempo=2 -vn {{out_1}}',
    '-i {{in_1}} -filter_complex "[0:v][0:v]concat=n=2[v]" -map "[v]" {{out_1}}',
    '-i {{in_1}} -vf loop=3:25 -an {{out_1}}',
  ]) {
    it(`reports unknown progress for ${command}`, async () => {
      expect(new Set((await follow(command, 'out.mp4')).percents)).to.deep.equal(new Set([null]))
    })
  }

  async function follow(command: string, output: string) {
    const outputs = command.includes('{{out_1}}') ? { out_1: output } : {}
    const step = stepOf(command, { outputs, inputAliases: Object.keys(inputPaths) })
    const from = supervised.client.received.length
    const argv = finalArgv(step, { inputPaths, vcpuCount: 2, maxPixels: defaultMaxPixels })
    const at = argv.indexOf('-stats_period') + 1
    const exited = await supervised.run(argv.with(at, '0.05'))
    expect(exited.code, exited.tail).to.equal(0)
    const reports = supervised.client.received
      .slice(from)
      .filter((message) => message.type === 'progress')
    const expected = expectedProgress(step, seconds)
    const percents: (number | null)[] = []
    for (const report of reports) {
      percents.push(stepPercent(expected, report, percents.at(-1) ?? null))
    }
    return { expected, reports, percents }
  }

  async function input(alias: keyof typeof inputPaths, argv: readonly string[]): Promise<void> {
    const { container, client } = supervised
    const name = path.basename(inputPaths[alias])
    expect(await supervised.run([...argv, name])).to.include({ code: 0 })
    await copyFile(path.join(container.job, 'work', name), path.join(container.job, 'in', name))
    client.send({ type: 'probe', id: alias, path: inputPaths[alias], depth: 'duration' })
    seconds[alias] = (await client.next('probed', alias)).facts.duration
  }
})
