import type { Group, OptionArgument } from '../grammar/arguments.ts'
import type { Finding } from '../model/findings.ts'
import { inspectInput } from './inspect-input.ts'
import { inspectOption } from './inspect-option.ts'
import type { OutputFolder } from './inspect-output-file.ts'
import { inspectOutput } from './inspect-output.ts'
import { isDropped } from '../grammar/option-table.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import type { ArgumentGroup } from '../model/plan.ts'
import { plainReading } from '../read/reading.ts'
import { resolveArgument, type InspectedArgument } from './resolve-argument.ts'
import type { StepContext, SubmittedFiles } from '../model/step-context.ts'

export type InspectedGroup = { group: ArgumentGroup; findings: Finding[]; dropped: string[] }

/** Checks the options of one input or output and its file, and plans how both will be written. */
export function inspectGroup(group: Group, context: StepContext): InspectedGroup {
  // Options in front of a decoder (`-dec 0:0`) are the decoder's, not the file's.
  const decoder = group.options.findLastIndex(({ name }) => name === 'dec')
  const formatOption = group.options.slice(decoder + 1).findLast(({ name }) => name === 'f')
  // If there are two formats, FFmpeg takes the last; a check must not depend on that, so it gets no
  // other.
  const isKept = (option: OptionArgument): boolean =>
    !isDropped(option.name) && (option.name !== 'f' || option === formatOption)
  const kept = group.options.filter(isKept)
  const format = formatOf(formatOption)
  const { argument, folder } = inspectTarget(group, kept, format, context.files)
  const options = kept.map((option) => {
    const inspected = inspectOption(option, group.kind, folder)
    const { text: value, findings } = resolveArgument(inspected, context)
    return { planned: { flag: option.flag.text, name: option.name, value }, findings }
  })
  const target = resolveArgument(argument, context)
  return {
    group: {
      kind: group.kind,
      options: options.map(({ planned }) => planned),
      target: target.text,
      alias: group.target === null ? null : wholePlaceholder(plainReading(group.target).text),
      format,
    },
    findings: [...options, target].flatMap(({ findings }) => findings),
    dropped: group.options.filter((option) => !isKept(option)).map(asWritten),
  }
}

function inspectTarget(
  group: Group,
  options: readonly OptionArgument[],
  format: string | null,
  files: SubmittedFiles,
): { argument: InspectedArgument | null; folder: OutputFolder } {
  switch (group.kind) {
    case 'input':
      return { argument: inspectInput(group.target, format), folder: null }
    case 'output':
      return inspectOutput(group.target, options, format, files)
    case 'trailing':
      return { argument: null, folder: null }
  }
}

function formatOf(option: OptionArgument | undefined): string | null {
  const value = option?.value ?? null
  return value === null ? null : plainReading(value).text.trim().toLowerCase()
}

function asWritten(option: OptionArgument): string {
  return option.value === null
    ? option.flag.text
    : `${option.flag.text} ${plainReading(option.value).text}`
}
