import { chmod, copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { defaultMaxPixels, finalArgv } from '../../common/command-line/final-argv.ts'
import { planCommands } from '../../common/command-line/plan-commands.ts'
import type { CommandPlan, StepPlan } from '../../common/command-line/plan.ts'
import { realCommands, type RealCommand } from '../../common/command-line/real-commands.fixture.ts'
import { realPackages } from '../../common/command-line/real-packages.fixture.ts'
import { runnerParts, startSupervised } from '../runner-image/test-runner.ts'
import type { RunnerParts, RunningSupervisor } from '../runner-image/test-runner.ts'

describe('command lines that people send run in the sandbox to their end', function () {
  this.timeout(60_000)
  let parts: RunnerParts
  let supervised: RunningSupervisor
  before(async function () {
    this.timeout(600_000)
    parts = await runnerParts()
    supervised = await startSupervised(parts)
    await supervised.client.next('ready')
    await makeInputs()
  })
  after(async () => {
    await supervised[Symbol.asyncDispose]()
    await parts.remove()
  })

  for (const command of [...realCommands, ...realPackages]) {
    it(command.title, async () => {
      const plan = accepted(command)
      await emptyWork()
      if (command.inputFolder) await unpackZip()
      for (const step of plan.steps) await run(step)
      for (const output of plan.outputs) {
        expect((await stat(path.join(work(), output.path))).size).to.be.greaterThan(0)
      }
      if (plan.outputs.length === 0) {
        expect((await readdir(work())).length).to.be.greaterThan(0)
      }
    })
  }

  async function run(step: StepPlan): Promise<void> {
    for (const folder of step.folders) await writableFolder(path.join(work(), folder))
    const readsList = step.groups.some(({ format }) => format === 'concat')
    const inputPaths = {
      in_1: '../in/in_1.mp4',
      in_2: '../in/in_2.mp4',
      in_3: readsList ? '../in/in_3.txt' : '../in/in_3.srt',
    }
    const argv = finalArgv(step, { inputPaths, vcpuCount: 2, maxPixels: defaultMaxPixels })
    const { code, tail } = await supervised.run(argv)
    expect({ code, tail: code === 0 ? '' : tail }).to.deep.equal({ code: 0, tail: '' })
  }

  async function makeInputs(): Promise<void> {
    const inputs = path.join(supervised.container.job, 'in')
    for (const [name, seconds] of [
      ['in_1.mp4', 3],
      ['in_2.mp4', 2],
    ] as const) {
      const { code } = await supervised.run([
        ...['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=25:d=${seconds}`],
        ...['-f', 'lavfi', '-i', `sine=d=${seconds}`, '-ac', '2'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', name],
      ])
      expect(code).to.equal(0)
      await copyFile(path.join(work(), name), path.join(inputs, name))
    }
    await writeFile(path.join(inputs, 'in_3.srt'), '1\n00:00:00,000 --> 00:00:01,500\nHello\n\n')
    await writeFile(path.join(inputs, 'in_3.txt'), "file 'in_1.mp4'\nfile 'in_2.mp4'\n")
  }

  async function unpackZip(): Promise<void> {
    const inputs = path.join(supervised.container.job, 'in')
    await copyFile(path.join(inputs, 'in_1.mp4'), path.join(work(), 'clip.mp4'))
    await copyFile(path.join(inputs, 'in_3.srt'), path.join(work(), 'x.srt'))
    await writableFolder(path.join(work(), 'list'))
    await supervised.run(['-i', 'clip.mp4', '-c', 'copy', 'list/recording.m3u8'])
    await supervised.run(['-i', 'clip.mp4', '-vf', 'fps=5', '-start_number', '0', 'frame_%03d.png'])
  }

  async function emptyWork(): Promise<void> {
    for (const name of await readdir(work())) await rm(path.join(work(), name), { recursive: true })
  }

  function work(): string {
    return path.join(supervised.container.job, 'work')
  }
})

/** The sandbox has a user of its own. */
async function writableFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o777)
}

function accepted({ title, ...submission }: RealCommand): CommandPlan {
  const result = planCommands(submission)
  if (result.ok) return result.plan
  throw new Error(`${title}: ${result.errors.map(({ message }) => message).join('; ')}`)
}
