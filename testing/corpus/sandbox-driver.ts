import { chmod, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { levelOf } from '../../common/domain/log-levels.ts'
import { defaultMaxPixels, finalArgv } from '../../common/command-line/plan/final-argv.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { planCommands } from '../../common/command-line/plan/plan-commands.ts'
import { relativePlaylists } from '../../runner-image/transfer/outputs/relative-playlists.ts'
import { folderDifferences } from './folder-differences.ts'
import { fillJob, inputPathsOf } from './job-folder.ts'
import type { CommandPlan } from '../../common/command-line/model/plan.ts'
import type { RunningSupervisor } from '../ffmpeg/runner/test-runner.ts'
import type { Driver } from './judge-command.ts'
import type { CorpusCommand } from './read-corpus.ts'

/** Plans a command and runs its steps as a runner's pod does: the final arguments, in the sandbox. */
export function sandboxDriver(parts: Omit<Driver, 'run'>, supervised: RunningSupervisor): Driver {
  const { root, samples, plainJob: plain, counts } = parts
  const service = supervised.container.job
  return {
    ...parts,
    async run(command) {
      const planned = planCommands(command.submission)
      if (!planned.ok) {
        const [error] = planned.errors
        return { kind: 'refused', type: error?.type ?? '', message: error?.message ?? '' }
      }
      const { plan } = planned
      await fillJob(service, command, samples)
      const { code, log, tail } = await runSteps(plan, command, supervised)
      return {
        kind: 'ended',
        ok: code === 0,
        end: `${String(code)}: ${tail}`,
        log: log.join('\n'),
        async differences() {
          const found = await folderDifferences(
            { root, plain, service },
            {
              playlists: plan.outputs.flatMap(({ folder }) => folder ?? []),
              lengthsVary: lengthsVary(command),
            },
          )
          counts.identical += found.identical
          counts.alike += found.alike
          return found.differences
        },
      }
    },
  }
}

export function lengthsVary({ expectation }: CorpusCommand): boolean {
  return expectation.kind === 'same' && expectation.lengthsVary
}

interface Ended {
  readonly code: number | null
  readonly log: readonly string[]
  /** The end of the log that explains a failure. */
  readonly tail: string
}

async function runSteps(
  plan: CommandPlan,
  command: CorpusCommand,
  supervised: RunningSupervisor,
): Promise<Ended> {
  const inputPaths = inputPathsOf(command)
  const work = path.join(supervised.container.job, 'work')
  const effects = systemEffects()
  const log: string[] = []
  for (const step of plan.steps) {
    for (const folder of step.folders) await writableFolder(path.join(work, folder))
    const argv = finalArgv(step, { inputPaths, vcpuCount: 2, maxPixels: defaultMaxPixels })
    const from = supervised.client.received.length
    const { code, tail } = await supervised.run(argv)
    for (const message of supervised.client.received.slice(from)) {
      if (message.type === 'stderr') log.push(...message.lines.map((each) => levelOf(each).line))
    }
    if (code !== 0) return { code, log, tail }
    for (const { step: writer, folder } of plan.outputs) {
      if (writer === step.index && folder !== null)
        await relativePlaylists(work, folder, () => effects.newId())
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
