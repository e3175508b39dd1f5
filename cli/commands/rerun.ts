import { deletedInputs } from '../existing/deleted-inputs.ts'
import { submitAndFollow } from '../job/submit-and-follow.ts'
import { whichCommand, whichOptions } from '../existing/which-command.ts'
import { cliCommand } from '../terminal/cli-command.ts'
import { UsageError, wholeNumber } from '../terminal/usage-error.ts'
import { printRecord } from './run.ts'
import type { Submission } from '../client/client.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

export const rerun = cliCommand({
  summary: 'run a command again, changed or not',
  about: 'Submits the request of a command once more, and prints the URLs of the outputs.',
  example: 'rerun --vcpu 4 COMMAND_ID',
  args: ['[COMMAND_ID]'],
  options: {
    ...whichOptions,
    '--vcpu <NUMBER>': 'with so many vCPUs',
    '--edit': 'change the request in an editor (VISUAL, EDITOR) before',
    '--detach': "print the command's id and end",
    '--json': "print the command's record",
  },
  async run({ COMMAND_ID, last, vcpu, edit, detach, json }, shell) {
    const { signal } = shell
    const client = shell.client()
    const record = await client.getCommand(
      await whichCommand(shell, COMMAND_ID, last),
      {},
      { signal },
    )
    const given = edit ? await edited(requestOf(record), shell) : requestOf(record)
    // `run` deletes its uploads at the end.
    const gone = await deletedInputs(client, given, signal)
    if (gone.length > 0) {
      throw new Error(
        `the service has deleted ${gone.join(', ')}: store each again ('cloud-ffmpeg files upload'), and set its URL with --edit`,
      )
    }
    const submission =
      vcpu === undefined ? given : { ...given, vcpu_count: wholeNumber('vcpu', vcpu) }
    const followed = await submitAndFollow(client, shell, submission, { detach, json })
    if ('exitCode' in followed) return followed.exitCode
    shell.progress.clear()
    printRecord(shell, followed.record, { json, urls: true })
    return 0
  },
})

/** The record has a key for each field of a request, and null where the request had none. */
function requestOf({ original_request: request }: CommandStatusRecord): Submission {
  if (request === null) {
    throw new Error('the request was deleted: the retention of the plan has passed')
  }
  const given = Object.entries(request).filter(([, value]) => value !== null)
  return Object.fromEntries(given) as unknown as Submission
}

async function edited(request: Submission, shell: Shell): Promise<Submission> {
  const text = await shell.edit(`${JSON.stringify(request, null, 2)}\n`, 'request.json')
  if (text.trim() === '') throw new UsageError('the request is empty: nothing was submitted')
  try {
    return JSON.parse(text) as Submission
  } catch (error) {
    throw new UsageError(`the request is not JSON: ${String(error)}`, { cause: error })
  }
}
