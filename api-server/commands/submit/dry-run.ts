import { placeOf } from '../../../common/command-line/advice/command-advice.ts'
import { customerArgv, defaultMaxPixels } from '../../../common/command-line/plan/final-argv.ts'
import { inputPath } from '../../../common/command-line/model/input-path.ts'
import { planSource } from '../../../common/command-line/plan/plan-commands.ts'
import { hasKnownExtension } from '../../../common/command-line/model/known-extension.ts'
import { sourceFileName } from '../../../common/command-line/model/source-file-name.ts'
import type { CommandValidation } from '../../../common/openapi/openapi-types.ts'
import type { Submission } from './submission.ts'

/** The arguments that FFmpeg would get, and what of the command it would not. */
export function dryRun(
  { commandType, source }: Submission,
  vcpuCount: number,
): Pick<CommandValidation, 'commands' | 'warnings'> {
  const inputs = source.inputFiles ?? {}
  const chained = commandType === 'FFMPEG_CHAINED_COMMANDS'
  const planned = planSource(source, chained)
  // The runner plans the validated command in the same way.
  if (!planned.ok) throw new Error('a validated command failed to plan')
  const { plan } = planned
  const inputPaths = Object.fromEntries(
    Object.entries(inputs).map(([alias, url]) => [alias, likelyPath(alias, url)]),
  )
  const options = { inputPaths, vcpuCount, maxPixels: defaultMaxPixels }
  return {
    commands: plan.steps.map((step) => ({
      argv: customerArgv(step, options),
      placeholders: step.placeholders.map((one) => ({ ...one })),
    })),
    warnings: plan.steps.flatMap((step) =>
      step.dropped.map(
        (option) => `${option}${placeOf(step, chained)} is left out; the service sets it itself`,
      ),
    ),
  }
}

/** If the URL names no file that FFmpeg knows, the extension comes from the headers of the download. */
function likelyPath(alias: string, url: string): string {
  const name = sourceFileName(url)
  return inputPath(alias, hasKnownExtension(name) ? name : null)
}
