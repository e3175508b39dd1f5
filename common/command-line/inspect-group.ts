import type { Group, OptionArgument } from './arguments.ts'
import { refused, type Finding } from './findings.ts'
import { inspectInput } from './inspect-input.ts'
import { inspectOption, type OptionContext } from './inspect-option.ts'
import { inspectOutput } from './inspect-output.ts'
import { isDropped } from './option-table.ts'
import { wholePlaceholder } from './placeholders.ts'
import type { ArgumentGroup } from './plan.ts'
import { plainReading } from './reading.ts'
import type { SubmittedFiles } from './submitted-files.ts'

export type InspectedGroup = { group: ArgumentGroup; findings: Finding[]; dropped: string[] }

/** Checks the options of one input or output and its file, and plans how both will be written. */
export function inspectGroup(group: Group, files: SubmittedFiles): InspectedGroup {
  const kept = group.options.filter((option) => !isDropped(option.name))
  const format = formatOf(kept)
  const target = inspectTarget(group, kept, format.value, files)
  const context: OptionContext = { kind: group.kind, folder: target.folder, files }
  const options = kept.map((option) => inspectOption(option, context))
  return {
    group: {
      kind: group.kind,
      options: options.map(({ planned }) => planned),
      target: target.text,
      alias: group.target === null ? null : wholePlaceholder(plainReading(group.target).text),
      format: format.value,
    },
    findings: [
      ...options.flatMap(({ findings }) => findings),
      ...format.findings,
      ...target.findings,
    ],
    dropped: group.options.filter((option) => isDropped(option.name)).map(asWritten),
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

/** Of two formats FFmpeg takes the last; a check must not depend on that. */
function formatOf(options: readonly OptionArgument[]): {
  value: string | null
  findings: Finding[]
} {
  const values = options.flatMap(({ name, value }) =>
    name === 'f' && value !== null ? [plainReading(value)] : [],
  )
  const names = values.map(({ text }) => text.trim().toLowerCase())
  const differing = values.find((_, index) => names[index] !== names[0])
  const findings =
    differing === undefined
      ? []
      : [
          refused(
            'command_syntax',
            differing.token,
            (place) => `Option '-f' is given twice for one file, the second as ${place}; give one`,
          ),
        ]
  return { value: names[0] ?? null, findings }
}

function asWritten(option: OptionArgument): string {
  return option.value === null
    ? option.flag.text
    : `${option.flag.text} ${plainReading(option.value).text}`
}
