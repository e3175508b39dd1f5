import path from 'node:path'
import { deletedInputs } from '../existing/deleted-inputs.ts'
import { filesByAlias } from '../job/aliases.ts'
import { checkLocalFile, isUrl, notStandardStream } from '../job/local-file.ts'
import { submitAndFollow } from '../job/submit-and-follow.ts'
import { uploadInputs } from '../job/upload-inputs.ts'
import { whichCommand, whichOptions } from '../existing/which-command.ts'
import { cliCommand } from '../terminal/cli-command.ts'
import { UsageError, wholeNumber } from '../terminal/usage-error.ts'
import { deleteUploads, printRecord } from './run.ts'
import { placeholderUrl } from './validate.ts'
import type { Submission } from '../client/client.ts'
import type { CommandStatusRecord, FileRecord } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

export const rerun = cliCommand({
  summary: 'run a command again, changed or not',
  about: 'Submits the request of a command once more, and prints the URLs of the outputs.',
  example: 'rerun --vcpu 4 COMMAND_ID',
  args: ['[COMMAND_ID]'],
  options: {
    ...whichOptions,
    '-i, --input <FILE|URL>': {
      text: 'another input; files of this machine are uploaded; in_NAME=FILE names it',
      repeated: true,
    },
    '--vcpu <NUMBER>': 'with so many vCPUs',
    '--edit': 'change the request in an editor (VISUAL, EDITOR) before',
    '--detach': "print the command's id and end",
    '--json': "print the command's record",
  },
  async run({ COMMAND_ID, last, input, vcpu, edit, detach, json }, shell) {
    const { signal } = shell
    const client = shell.client()
    const record = await client.getCommand(
      await whichCommand(shell, COMMAND_ID, last),
      {},
      { signal },
    )
    const inputs = inputsFrom(input)
    const files = [...inputs.values()].filter((text) => !isUrl(text))
    for (const file of files) await checkLocalFile(file)
    const asked = edit ? await edited(requestOf(record), shell) : requestOf(record)
    const known = withInputs(asked, inputs, (text) => (isUrl(text) ? text : placeholderUrl(text)))
    // `run` deletes its uploads at the end.
    const gone = await deletedInputs(client, known, signal)
    if (gone.length > 0) {
      throw new Error(
        `the service has deleted ${gone.join(', ')}: give each again, as a file or a URL (-i ${gone[0]}=FILE)`,
      )
    }
    const uploaded = new Map<string, FileRecord>()
    try {
      await uploadInputs(client, shell, files, uploaded)
      const given = withInputs(asked, inputs, (text) => uploaded.get(text)?.storage_url ?? text)
      const submission =
        vcpu === undefined ? given : { ...given, vcpu_count: wholeNumber('vcpu', vcpu) }
      const followed = await submitAndFollow(client, shell, submission, { detach, json })
      if ('exitCode' in followed) return followed.exitCode
      shell.progress.clear()
      printRecord(shell, followed.record, { json, urls: true })
      return 0
    } finally {
      // A detached command still needs its inputs.
      if (!detach) await deleteUploads(client, shell, uploaded)
    }
  },
})

/** Paths and URLs by alias. */
function inputsFrom(texts: readonly string[]): Map<string, string> {
  const inputs = filesByAlias('input', texts)
  return new Map(
    Array.from(inputs, ([alias, text]) => [
      alias,
      isUrl(text) ? text : path.resolve(notStandardStream(text, alias)),
    ]),
  )
}

/** @throws UsageError for an alias that the command does not have */
function withInputs(
  request: Submission,
  inputs: ReadonlyMap<string, string>,
  urlOf: (text: string) => string,
): Submission {
  if (inputs.size === 0) return request
  const before = request.input_files ?? {}
  for (const alias of inputs.keys()) {
    if (alias in before) continue
    const names = Object.keys(before).join(', ') || 'none'
    throw new UsageError(`the command has the inputs ${names}, not ${alias}`)
  }
  const given = Object.fromEntries(
    Array.from(inputs, ([alias, text]): [string, string] => [alias, urlOf(text)]),
  )
  return { ...request, input_files: { ...before, ...given } } as Submission
}

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
