import type { Group, OptionArgument } from '../grammar/arguments.ts'
import type { Finding } from '../model/findings.ts'
import { inspectInput } from './inspect-input.ts'
import { inspectOption, type OptionContext } from './inspect-option.ts'
import { inspectOutput } from './inspect-output.ts'
import { isDropped } from '../grammar/option-table.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import type { ArgumentGroup } from '../model/plan.ts'
import { plainReading } from '../read/reading.ts'
import type { SubmittedFiles } from '../model/submitted-files.ts'

export type InspectedGroup = { group: ArgumentGroup; findings: Finding[]; dropped: string[] }

/** Checks the options of one input or output and its file, and plans how both will be written. */
export function inspectGroup(group: Group, files: SubmittedFiles): InspectedGroup {
  // What stands in front of a decoder (`-dec 0:0`) is the decoder's, not the file's.
  const decoder = group.options.findLastIndex(({ name }) => name === 'dec')
  const formatOption = group.options.slice(decoder + 1).findLast(({ name }) => name === 'f')
  // If there are two formats, FFmpeg takes the last; a check must not depend on that, so it gets no
  // other.
  const isKept = (option: OptionArgument): boolean =>
    !isDropped(option.name) && (option.name !== 'f' || option === formatOption)
  const kept = group.options.filter(isKept)
  const format = formatOf(formatOption)
  const target = inspectTarget(group, kept, format, files)
  const context: OptionContext = { kind: group.kind, folder: target.folder, files }
  const options = kept.map((option) => inspectOption(option, context))
  return {
    group: {
      kind: group.kind,
      options: options.map(({ planned }) => planned),
      target: target.text,
      alias: group.target === null ? null : wholePlaceholder(plainReading(group.target).text),
      format,
    },
    findings: [...options.flatMap(({ findings }) => findings), ...target.findings],
    dropped: group.options.filter((option) => !isKept(option)).map(asWritten),
  }
}

function inspectTarget(
  group: Group,
  options: readonly OptionArgument[],
  format: string | null,
  files: SubmittedFiles,
): ReturnType<typeof inspectOutput> {
  switch (group.kind) {
    case 'input':
      return { ...inspectInput(group.target, format, files), folder: null }
    case 'output':
      return inspectOutput(group.target, options, format, files)
    case 'trailing':
      return { text: null, findings: [], folder: null }
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
