import type { Finding, RawFinding } from '../model/findings.ts'
import { fontFolderSuffix } from '../model/input-path.ts'
import type { PlannedText } from '../model/plan.ts'
import { plannedText, type Insertion } from '../model/planned-text.ts'
import type { DeclaredOutput, StepContext } from '../model/step-context.ts'
import type { Reading } from '../read/reading.ts'
import { inspectNamedFile } from './inspect-named-file.ts'
import { withUnparsedPlaceholders } from './unparsed-placeholders.ts'

/** Result of inspecting an argument without the declarations of the submission. */
export type InspectedArgument = {
  reading: Reading
  findings: readonly RawFinding[]
  insertions?: readonly Insertion[]
  /** Text for FFmpeg if it is not the reading's text. */
  text?: string
  /** Replacement of an output's alias: by default its path. */
  outputsAs?: 'input' | 'name'
}

/** Applies the declarations of the submission, and plans the text that FFmpeg gets. */
export function resolveArgument(
  argument: InspectedArgument | null,
  context: StepContext,
): { text: PlannedText | null; findings: Finding[] } {
  if (argument === null) return { text: null, findings: [] }
  const { reading, findings, insertions = [], text = reading.text, outputsAs } = argument
  const resolved = findings.flatMap((finding) =>
    finding.kind === 'name' ? (inspectNamedFile(finding, context) ?? []) : finding,
  )
  const folders = findings.flatMap((finding) =>
    finding.kind === 'font-folder' ? [{ at: finding.at, text: fontFolderSuffix }] : [],
  )
  return {
    text: plannedText(text, [...insertions, ...folders], (alias) => {
      const output = context.files.outputs.get(alias)
      return output === undefined ? null : spelled(output, outputsAs)
    }),
    findings: withUnparsedPlaceholders(reading, resolved),
  }
}

function spelled({ name, path }: DeclaredOutput, as: InspectedArgument['outputsAs']): string {
  if (as === 'name') return name
  // FFmpeg 7.1 puts the folder of a relative DASH manifest in front of its segments twice.
  return as === 'input' && path.toLowerCase().endsWith('.mpd') ? `file:${path}` : path
}
