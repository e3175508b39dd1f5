import path from 'node:path'
import { jobIn, splitJob } from '../job/job-in.ts'
import { jobOptions } from '../job/job.ts'
import { cliCommand } from '../terminal/cli-command.ts'
import { markedCommand } from '../terminal/marked-command.ts'
import { submissionFor } from '../job/submission-for.ts'
import type { Job } from '../job/job.ts'
import type { Client, Submission } from '../client/client.ts'
import type { Answers } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

export const validate = cliCommand({
  summary: 'check a command without running it',
  about:
    "Prints FFmpeg's final arguments, one JSON array per command. Nothing is uploaded, stored or charged.",
  usage: "[options] -- FFMPEG ARGUMENTS [-- NEXT COMMAND'S ARGUMENTS]...",
  example: 'validate -i in_1=clip.mov -o out_1=a.mp4 -- -i {{in_1}} {{out_1}}',
  args: ['[UNEXPECTED...]'],
  options: { ...jobOptions, '--json': "print the service's whole answer" },
  split: splitJob,
  async run(values, shell, { behind }) {
    const { job } = await jobIn(behind, values, shell)
    return dryRun(shell, job, values.json)
  },
})

export async function dryRun(shell: Shell, job: Job, json: boolean): Promise<number> {
  const submission = submissionFor(job, placeholderUrl)
  const verdict = await shell.client().validateFfmpegCommand(submission, { signal: shell.signal })
  const isGood = verdict.valid && verdict.plan_error === null
  if (json) shell.print(JSON.stringify(verdict, null, 2))
  else sayVerdict(shell, submission, verdict)
  if (isGood && !json) {
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
  sayVerdict(shell, submission, verdict)
  return verdict.valid && verdict.plan_error === null
}

function sayVerdict(
  { progress }: Shell,
  submission: Submission,
  verdict: Answers['validateFfmpegCommand'],
): void {
  for (const { loc, msg, ctx } of verdict.errors) {
    const command = commandAt(submission, loc)
    if (command !== null) for (const line of markedCommand(command, ctx)) progress.say(line)
    progress.say(`${loc.slice(1).join('.')}: ${msg}`)
  }
  if (verdict.plan_error !== null) progress.say(verdict.plan_error)
  for (const warning of verdict.warnings) progress.say(`note: ${warning}`)
}

/** The text that a mistake is in; null for one of another field. */
function commandAt(submission: Submission, [, field, index]: readonly (string | number)[]) {
  if (field === 'ffmpeg_command' && 'ffmpeg_command' in submission) return submission.ffmpeg_command
  if (field !== 'ffmpeg_commands' || !('ffmpeg_commands' in submission)) return null
  return submission.ffmpeg_commands[Number(index)] ?? null
}

/** The service checks at most the name in it. */
export function placeholderUrl(file: string): string {
  return `https://upload.invalid/${encodeURIComponent(path.basename(file))}`
}
