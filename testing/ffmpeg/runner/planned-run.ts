import { finalArgv, defaultMaxPixels } from '../../../common/command-line/plan/final-argv.ts'
import { stepOf } from '../../support/plan-one.ts'
import { exitFailure } from '../../../runner-image/failure/exit-failure.ts'
import { errorMessage } from '../../../runner-image/transfer/report/error-message.ts'
import { chown, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { makeFontFolders } from '../../../runner-image/transfer/runtime/make-folders.ts'
import { runnerId } from './container.ts'
import type { ExitFailure } from '../../../runner-image/failure/exit-failure.ts'
import type { Exited, RunLimits } from '../../../runner-image/link/messages.ts'
import type { Supervised } from './test-runner.ts'
import type { StepPlan } from '../../../common/command-line/model/plan.ts'

export interface PlannedRun {
  readonly command: string
  /** File name by alias. */
  readonly outputs: Readonly<Record<string, string>>
  /** Relative to the working folder, by alias. */
  readonly inputPaths: Readonly<Record<string, string>>
  readonly limits?: Partial<RunLimits>
}

export interface PlannedEnd {
  readonly exited: Exited
  readonly failure: ExitFailure | null
  /** Message to the sender of the command; null where it succeeded. */
  readonly message: string | null
}

/** Runs a command text as a pod does: parsed, completed, in the sandbox, and its end put into words. */
export async function runPlanned(
  supervised: Supervised,
  { command, outputs, inputPaths, limits = {} }: PlannedRun,
): Promise<PlannedEnd> {
  const step = stepOf(command, { outputs, inputAliases: Object.keys(inputPaths) })
  await makeStepFolders(supervised.container.job, step)
  const argv = finalArgv(step, { inputPaths, vcpuCount: 2, maxPixels: defaultMaxPixels })
  const exited = await supervised.run(argv, limits)
  const failure = exitFailure(exited, {
    capSeconds: limits.seconds ?? 60,
    fileBytes: limits.fileBytes ?? null,
    scratchBytes: limits.scratchBytes ?? 4 * 1024 ** 3,
    fileCount: limits.fileCount ?? 10_000,
    memoryBytes: null,
    inputs: Object.keys(inputPaths),
  })
  if (failure === null) return { exited, failure, message: null }
  const log = failure.withLog ? exited.tail : ''
  return { exited, failure, message: errorMessage(failure.sentence, log, inputPaths, command) }
}

/**
 * Makes the folders of `transfer` before a step runs. A test does not run as the user of the image, so it gives
 * the folders away.
 * @param job `/job` of the container, on this machine
 */
export async function makeStepFolders(
  job: string,
  step: StepPlan,
  inputPaths: Readonly<Record<string, string>> = {},
): Promise<void> {
  const fonts = step.fontFolders.flatMap((alias) => inputPaths[alias] ?? [])
  await makeFontFolders(path.join(job, 'work'), fonts)
  for (const folder of step.folders) {
    const made = path.join(job, 'work', folder)
    await mkdir(made, { recursive: true })
    await chown(made, runnerId, runnerId)
  }
}
