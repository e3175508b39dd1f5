import path from 'node:path'
import { jobFrom, jobOptions, splitAtDashes } from '../job/job.ts'
import { parsed, UsageError } from '../terminal/parse.ts'
import { submissionFor } from '../job/submission-for.ts'
import type { Client, Submission } from '../client/client.ts'
import type { Answers } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

/** Checks the arguments of `run` without running or uploading. */
export async function validate(args: string[], shell: Shell): Promise<number> {
  const { own, commands } = splitAtDashes(args)
  const { values, positionals } = parsed(own, { ...jobOptions, json: { type: 'boolean' } })
  if (positionals.length > 0) throw new UsageError(`unexpected '${positionals.join(' ')}'`)
  const submission = submissionFor(jobFrom(values, commands), placeholderUrl)
  const verdict = await shell.client().validateFfmpegCommand(submission, { signal: shell.signal })
  const isGood = verdict.valid && verdict.plan_error === null
  if (values.json) shell.print(JSON.stringify(verdict, null, 2))
  else sayVerdict(shell, verdict)
  if (isGood && !values.json) {
    for (const { argv } of verdict.commands) shell.print(JSON.stringify(argv))
  }
  return isGood ? 0 : 1
}

/** Prints the mistakes. @returns false if the command cannot run */
export async function checkText(
  client: Client,
  shell: Shell,
  submission: Submission,
): Promise<boolean> {
  const verdict = await client.validateFfmpegCommand(submission, { signal: shell.signal })
  sayVerdict(shell, verdict)
  return verdict.valid && verdict.plan_error === null
}

function sayVerdict({ progress }: Shell, verdict: Answers['validateFfmpegCommand']): void {
  for (const { loc, msg } of verdict.errors) progress.say(`${loc.slice(1).join('.')}: ${msg}`)
  if (verdict.plan_error !== null) progress.say(verdict.plan_error)
  for (const warning of verdict.warnings) progress.say(`note: ${warning}`)
}

/** The service checks at most the name in it. */
export function placeholderUrl(file: string): string {
  return `https://upload.invalid/${encodeURIComponent(path.basename(file))}`
}
