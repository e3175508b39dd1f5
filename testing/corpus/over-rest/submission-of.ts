import type { Submission } from '../../../cli/client/client.ts'
import type { CorpusCommand } from '../read-corpus.ts'

/** A chain declares its outputs one by one, and takes no archive: some commands are for kubectl alone. */
export function isSubmittable({ samples, submission }: CorpusCommand): boolean {
  return !submission.chained || (samples !== null && submission.outputs !== 'OUTPUT_FOLDER')
}

/** Submission of a client for a command of the corpus. */
export function submissionOf(
  { samples, submission }: CorpusCommand,
  urlOf: (sample: string) => string,
): Submission {
  const { commands, inputAliases, outputs, chained } = submission
  const names = samples ?? []
  const inputs = Object.fromEntries(
    inputAliases.map((alias, index) => [alias, urlOf(names[index] ?? '')]),
  )
  const [command = ''] = commands
  if (chained) {
    if (outputs === 'OUTPUT_FOLDER') throw new Error('not to be submitted: see isSubmittable')
    return {
      input_files: inputs,
      output_files: outputs,
      ffmpeg_commands: [...commands],
      vcpu_count: 2,
    }
  }
  const rest = { output_files: outputs, ffmpeg_command: command, vcpu_count: 2 }
  return samples === null
    ? { input_compressed_folder: urlOf('samples.zip'), ...rest }
    : { input_files: inputs, ...rest }
}
