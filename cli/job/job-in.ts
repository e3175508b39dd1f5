import { stat } from 'node:fs/promises'
import { jobFrom, splitAtDashes } from './job.ts'
import { readPasted, splitAtProgram } from './pasted.ts'
import { UsageError } from '../terminal/parse.ts'
import type { Job, JobValues } from './job.ts'
import type { Pasted } from './pasted.ts'
import type { Shell } from '../terminal/shell.ts'

/**
 * The job that a command line describes, and the values of its options.
 * @param read the options of the command, those of a job among them
 */
export async function jobIn<Values extends JobValues>(
  args: readonly string[],
  shell: Shell,
  read: (own: string[]) => { readonly values: Values; readonly positionals: readonly string[] },
): Promise<{ readonly job: Job; readonly values: Values; readonly overwrites: boolean }> {
  const pasted = splitAtProgram(args)
  const { own, commands } =
    pasted === null ? splitAtDashes(args) : { own: pasted.own, commands: [] }
  const { values, positionals } = read(own)
  if (positionals.length > 0) {
    throw new UsageError(
      `unexpected '${positionals.join(' ')}': write FFmpeg's arguments after '--', or the whole command, which begins with 'ffmpeg'`,
    )
  }
  if (pasted === null) return { job: jobFrom(values, commands), values, overwrites: false }
  if (values.input !== undefined || values.output !== undefined) {
    throw new UsageError(
      "inputs and outputs are read from the command behind 'ffmpeg': leave -i and -o out",
    )
  }
  const understood = await readPasted(pasted.ffmpeg, isFile, values['input-zip'] !== undefined)
  const job = jobFrom(
    { ...values, input: [...understood.inputs], output: [...understood.outputs] },
    [[...understood.args]],
  )
  sayUnderstood(shell, understood, job)
  return { job, values, overwrites: understood.overwrites }
}

function sayUnderstood({ progress }: Shell, { inputs, outputs }: Pasted, { commands }: Job): void {
  for (const each of [...inputs, ...outputs]) progress.say(each.replace('=', ' = '))
  for (const command of commands) progress.say(`command: ${command}`)
}

async function isFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  return found?.isFile() ?? false
}
