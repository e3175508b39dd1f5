import { Command } from 'commander'
import { addOptions } from '../terminal/program.ts'
import { jobFrom, jobOptions, splitAtDashes } from './job.ts'
import type { Job, JobValues } from './job.ts'

/** The job of a command line of `run`, without the name of the command. */
export function jobOf(args: readonly string[]): Job {
  const { own, commands } = splitAtDashes(args)
  const command = addOptions(new Command(), jobOptions).parse(own, { from: 'user' })
  return jobFrom(command.opts<JobValues>(), commands)
}
