import { chown, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { StepPlan } from '../../../common/command-line/model/plan.ts'
import { makeFontFolders } from '../../../runner-image/transfer/runtime/make-folders.ts'
import { runnerId } from './container.ts'

/**
 * What `transfer` makes before a step runs. A test does not run as the user of the image, so it gives
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
