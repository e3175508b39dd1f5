import { customerArgv, defaultMaxPixels } from '../../../common/command-line/plan/final-argv.ts'
import { inputPath } from '../../../common/command-line/model/input-path.ts'
import { oddSizes } from '../../../common/command-line/plan/odd-sizes.ts'
import { planSource } from '../../../common/command-line/plan/plan-commands.ts'
import { unknownFilters } from '../../../common/command-line/plan/unknown-filters.ts'
import { unknownMediaNames } from '../../../common/command-line/plan/unknown-media-names.ts'
import { hasKnownExtension } from '../../../common/command-line/model/known-extension.ts'
import { sourceFileName } from '../../../common/command-line/model/source-file-name.ts'
import type { CommandPlan } from '../../../common/command-line/model/plan.ts'
import type { CommandValidation } from '../../../common/openapi/openapi-types.ts'
import type { Submission } from './submission.ts'

/** The arguments that FFmpeg would get, and warnings about probable mistakes. */
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
    warnings: [
      ...unusedInputs(plan, Object.keys(inputs)),
      ...droppedOptions(plan, chained),
      ...doubtfulSizes(plan, chained),
      ...misspeltFilters(plan, chained),
      ...absentMediaNames(plan, chained),
    ],
  }
}

/** If the URL names no file that FFmpeg knows, the extension comes from the headers of the download. */
function likelyPath(alias: string, url: string): string {
  const name = sourceFileName(url)
  return inputPath(alias, hasKnownExtension(name) ? name : null)
}

function unusedInputs({ usedInputs }: CommandPlan, declared: readonly string[]): string[] {
  return declared
    .filter((alias) => !usedInputs.includes(alias))
    .map((alias) => `${alias} is not used by any command; it will not be fetched`)
}

function droppedOptions({ steps }: CommandPlan, chained: boolean): string[] {
  return steps.flatMap(({ index, dropped }) =>
    dropped.map(
      (option) => `${option}${placeOf(index, chained)} is left out; the service sets it itself`,
    ),
  )
}

function doubtfulSizes({ steps }: CommandPlan, chained: boolean): string[] {
  return steps.flatMap((step) =>
    oddSizes(step).map(({ written, even, encoder }) => {
      const place = placeOf(step.index, chained)
      return `${written}${place} has an odd side, which ${encoder} does not take with 4:2:0 video; write ${even}`
    }),
  )
}

function misspeltFilters({ steps }: CommandPlan, chained: boolean): string[] {
  return steps.flatMap((step) =>
    unknownFilters(step).map(({ name, nearest }) => {
      const advice = nearest === null ? '' : `; did you mean '${nearest}'?`
      return `FFmpeg has no filter '${name}'${placeOf(step.index, chained)}${advice}`
    }),
  )
}

function absentMediaNames({ steps }: CommandPlan, chained: boolean): string[] {
  return steps.flatMap((step) =>
    unknownMediaNames(step).map(({ kind, name, nearest }) => {
      const advice = nearest === null ? '' : `; did you mean '${nearest}'?`
      return `FFmpeg has no ${kind} '${name}'${placeOf(step.index, chained)}${advice}`
    }),
  )
}

function placeOf(index: number, chained: boolean): string {
  return chained ? ` in command ${index}` : ''
}
