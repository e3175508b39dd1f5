import { fontFolderSuffix } from './input-path.ts'
import type { CommandErrorType, PlaceholderRole } from './plan.ts'
import type { Insertion } from './planned-text.ts'
import type { Refusal, SourceRange } from './refusal.ts'

/** What inspecting an argument brings to light. */
export type Finding =
  | { kind: 'refusal'; refusal: Refusal }
  | { kind: 'use'; alias: string; role: PlaceholderRole; range: SourceRange }
  /** A file of the customer's naming; the path is relative to the working directory. */
  | { kind: 'file'; path: string; access: 'read' | 'write' }
  /** An input that stands for a folder with it alone; `at`: end of its placeholder in the reading. */
  | { kind: 'font-folder'; alias: string; at: number }
  /** Files that FFmpeg or an encoder names by itself, such as pass logs. */
  | { kind: 'unnamed-files' }

/** What the submission says about files; decides where bare names are allowed. */
export type FileRules = {
  /** A zip is unpacked into the working directory: inputs may be bare names. */
  inputFolder: boolean
  /** An earlier command may have written any name of its choice, so this one may read any. */
  earlierNames: boolean
  /** OUTPUT_FOLDER: outputs may be bare names. */
  outputFolder: boolean
}

export type Use = Extract<Finding, { kind: 'use' }>

/** Uses of placeholders in the order of the text. */
export function usesIn(findings: readonly Finding[]): Use[] {
  return findings
    .filter((finding) => finding.kind === 'use')
    .sort((a, b) => a.range.from - b.range.from)
}

/** Makes of the paths of fonts those of their folders. */
export function folderInsertions(findings: readonly Finding[]): Insertion[] {
  return findings.flatMap((finding) =>
    finding.kind === 'font-folder' ? [{ at: finding.at, text: fontFolderSuffix }] : [],
  )
}

export function refused(
  type: CommandErrorType,
  range: SourceRange,
  sentence: Refusal['sentence'],
): Finding {
  return { kind: 'refusal', refusal: { type, range, sentence } }
}

export function used(alias: string, role: PlaceholderRole, range: SourceRange): Finding {
  return { kind: 'use', alias, role, range }
}

export function named(path: string, access: 'read' | 'write'): Finding {
  return { kind: 'file', path, access }
}
