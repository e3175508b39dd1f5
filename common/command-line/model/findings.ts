import type { CommandErrorType, PlaceholderRole } from './plan.ts'
import type { Refusal, SourceRange } from './refusal.ts'

/** Result of inspecting an argument. */
export type Finding =
  | { kind: 'refusal'; refusal: Refusal }
  | { kind: 'use'; alias: string; role: PlaceholderRole; range: SourceRange }
  /**
   * A file of the customer's naming; the path is relative to the working directory. `range`: of an
   * output or an input, which steps of a chain may hand on by its name.
   */
  | { kind: 'file'; path: string; access: 'read' | 'write'; range: SourceRange | null }
  /** An input that stands for a folder with it alone; `at`: end of its placeholder in the reading. */
  | { kind: 'font-folder'; alias: string; at: number }
  /** Files that FFmpeg or an encoder names by itself, such as pass logs. */
  | { kind: 'unnamed-files' }

/**
 * Use that FFmpeg makes of the value of a file option.
 * `source`: read; `font`: read, fonts of the image too; `working`: read, made by an earlier step
 * under a bare name; `result`: written, an output when it is a placeholder; `companion`: written
 * under a name of the customer's choice, never stored by itself.
 */
export type FileRole = 'source' | 'font' | 'working' | 'result' | 'companion'

/** A place that holds nothing but a file's name; the submission decides whether it is allowed. */
export type NamedFile = {
  kind: 'name'
  text: string
  role: FileRole
  range: SourceRange
  /** Path at which FFmpeg finds or writes a bare name, relative to the working directory. */
  path: string
}

/** Before the declarations of the submission are applied. */
export type RawFinding = Finding | NamedFile

export type Use = Extract<Finding, { kind: 'use' }>

/** Uses of placeholders in the order of the text. */
export function usesIn(findings: readonly Finding[]): Use[] {
  return findings
    .filter((finding) => finding.kind === 'use')
    .sort((a, b) => a.range.from - b.range.from)
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

export function named(
  path: string,
  access: 'read' | 'write',
  range: SourceRange | null = null,
): Finding {
  return { kind: 'file', path, access, range }
}

export function namedFile(
  text: string,
  role: FileRole,
  range: SourceRange,
  path: string = text,
): NamedFile {
  return { kind: 'name', text, role, range, path }
}
