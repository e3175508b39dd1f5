import { isPlaylistAlias, outputPath } from './output-name.ts'
import type { CommandSubmission, PlannedOutput } from './plan.ts'

/** Everything of an output's plan that is known before a step writes it. */
export type DeclaredOutput = Omit<PlannedOutput, 'step'>

/** The declarations of a submission, in the form that argument inspection needs. */
export type SubmittedFiles = {
  inputs: ReadonlySet<string>
  /** Keys are aliases in order of declaration. */
  outputs: ReadonlyMap<string, DeclaredOutput>
  /** A zip is unpacked into the working directory: inputs may be bare names. */
  inputFolder: boolean
  /** OUTPUT_FOLDER: outputs may be bare names. */
  outputFolder: boolean
  /** Several commands, which may hand patterns on by their names. */
  chained: boolean
}

/** Which command has written which output: alias to index; null: perhaps one that has a mistake. */
export type AliasLedger = ReadonlyMap<string, number | null>

/** One command, with what the submission and the commands before it say about files. */
export type StepContext = {
  /** The command line, as sent. */
  source: string
  files: SubmittedFiles
  /**
   * Bare names may be read: they are files of a zip, or an earlier command may have written any
   * name.
   */
  readsNames: boolean
  /** Outputs that earlier commands have written. */
  ledger: AliasLedger
  /** Patterns that earlier commands have written, as `f_%03d.png`. */
  patterns: readonly string[]
}

export function submittedFiles(submission: CommandSubmission): SubmittedFiles {
  const { outputs, inputAliases, inputFolder, chained } = submission
  const outputFolder = outputs === 'OUTPUT_FOLDER'
  return {
    inputs: new Set(inputAliases),
    outputs: new Map(outputFolder ? [] : Object.entries(outputs).map(declaredOutput)),
    inputFolder,
    outputFolder,
    chained,
  }
}

function declaredOutput([alias, name]: [string, string]): [string, DeclaredOutput] {
  const folder = isPlaylistAlias(alias) ? alias : null
  return [alias, { alias, name, path: outputPath(alias, name), folder }]
}
