import { chmod, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { defaultMaxPixels, finalArgv } from '../../common/command-line/plan/final-argv.ts'
import type { CommandPlan } from '../../common/command-line/model/plan.ts'
import { relativePlaylists } from '../../runner-image/transfer/outputs/relative-playlists.ts'
import type { RunningSupervisor } from '../ffmpeg/runner/test-runner.ts'

export interface ServiceRun {
  readonly code: number | null
  /** As the command's owner reads it. */
  readonly log: readonly string[]
  /** The end of the log that explains a failure. */
  readonly tail: string
}

/** Runs the steps of a plan as a runner's pod does: the final arguments, in the sandbox. */
export async function runInService(
  plan: CommandPlan,
  inputPaths: Readonly<Record<string, string>>,
  supervised: RunningSupervisor,
): Promise<ServiceRun> {
  const work = path.join(supervised.container.job, 'work')
  const log: string[] = []
  for (const step of plan.steps) {
    for (const folder of step.folders) await writableFolder(path.join(work, folder))
    const argv = finalArgv(step, { inputPaths, vcpuCount: 2, maxPixels: defaultMaxPixels })
    const from = supervised.client.received.length
    const { code, tail } = await supervised.run(argv)
    for (const message of supervised.client.received.slice(from)) {
      if (message.type === 'stderr') log.push(...message.lines)
    }
    if (code !== 0) return { code, log, tail }
    for (const { step: writer, folder } of plan.outputs) {
      if (writer === step.index && folder !== null) await relativePlaylists(work, folder)
    }
  }
  return { code: 0, log, tail: '' }
}

/** The sandbox has a user of its own. */
async function writableFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true })
  for (let each = folder; made !== undefined && each.length >= made.length;) {
    await chmod(each, 0o777)
    each = path.dirname(each)
  }
}
