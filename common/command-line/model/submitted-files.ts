import type { FileRules } from './findings.ts'
import type { CommandSubmission } from './plan.ts'
import { outputPath } from './output-name.ts'

/** The declarations of a submission, in the form that argument inspection needs. */
export type SubmittedFiles = FileRules & {
  outputs: ReadonlyMap<string, string>
  inputs: ReadonlySet<string>
}

export function submittedFiles(submission: CommandSubmission): SubmittedFiles {
  const { outputs, inputAliases, inputFolder } = submission
  return {
    inputFolder,
    earlierNames: false,
    outputFolder: outputs === 'OUTPUT_FOLDER',
    outputs: new Map(outputs === 'OUTPUT_FOLDER' ? [] : Object.entries(outputs)),
    inputs: new Set(inputAliases),
  }
}

/** Path of a declared output; null for every other alias. */
export function outputPathOf(files: SubmittedFiles, alias: string): string | null {
  const name = files.outputs.get(alias)
  return name === undefined ? null : outputPath(alias, name)
}
