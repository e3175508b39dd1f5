import { stat } from 'node:fs/promises'
import { jobFrom, splitAtDashes } from './job.ts'
import { readPasted, splitAtProgram } from './pasted.ts'
import { UsageError } from '../terminal/usage-error.ts'
import type { Job, JobValues } from './job.ts'
import type { Pasted } from './pasted.ts'
import type { Split } from '../terminal/cli-command.ts'
import type { Shell } from '../terminal/shell.ts'

/** Arguments for FFmpeg: a command as it was written for it, or one or more with placeholders. */
type FfmpegArguments =
  | { readonly pasted: readonly string[] }
  | { readonly pasted: null; readonly commands: readonly string[][] }

/** Separates the tool's options from FFmpeg's arguments; after `--`, `--help` is one of FFmpeg's. */
export function splitJob(args: readonly string[]): Split<FfmpegArguments> {
  const end = args.indexOf('--')
  const before = end === -1 ? args : args.slice(0, end)
  if (before.includes('-h') || before.includes('--help')) {
    return { own: ['--help'], behind: { pasted: null, commands: [] } }
  }
  const found = splitAtProgram(args)
  if (found !== null) return { own: found.own, behind: { pasted: found.ffmpeg } }
  const { own, commands } = splitAtDashes(args)
  return { own, behind: { pasted: null, commands } }
}

/** The job that a command line describes. */
export async function jobIn(
  behind: FfmpegArguments,
  values: JobValues & { readonly UNEXPECTED: readonly string[] },
  shell: Shell,
): Promise<{ readonly job: Job; readonly overwrites: boolean }> {
  if (values.UNEXPECTED.length > 0) {
    throw new UsageError(
      `unexpected '${values.UNEXPECTED.join(' ')}': write FFmpeg's arguments after '--', or the whole command, which begins with 'ffmpeg'`,
    )
  }
  if (behind.pasted === null) return { job: jobFrom(values, behind.commands), overwrites: false }
  if (values.input.length > 0 || values.output.length > 0) {
    throw new UsageError(
      "inputs and outputs are read from the command behind 'ffmpeg': leave -i and -o out",
    )
  }
  const understood = await readPasted(behind.pasted, isFile, values.inputZip !== undefined)
  const job = jobFrom(
    { ...values, input: [...understood.inputs], output: [...understood.outputs] },
    [[...understood.args]],
  )
  sayUnderstood(shell, understood, job)
  return { job, overwrites: understood.overwrites }
}

function sayUnderstood({ progress }: Shell, { inputs, outputs }: Pasted, { commands }: Job): void {
  for (const each of [...inputs, ...outputs]) progress.say(each.replace('=', ' = '))
  for (const command of commands) progress.say(`command: ${command}`)
}

async function isFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  return found?.isFile() ?? false
}
