import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { checkOutputs } from '../job/job.ts'
import { fetchResults } from '../job/fetch-results.ts'
import { whichCommand, whichOptions } from '../existing/which-command.ts'
import { cliCommand } from '../terminal/cli-command.ts'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'

export const download = cliCommand({
  summary: 'the outputs of a command',
  about: 'Downloads all outputs of a command, under the names that they have in storage.',
  example: 'download -d results COMMAND_ID',
  args: ['[COMMAND_ID]'],
  options: {
    ...whichOptions,
    '-d, --dir <DIR>': { text: 'where the outputs go', default: '.' },
    '-y, --overwrite': 'replace files that exist',
  },
  async run({ COMMAND_ID, last, dir, overwrite }, shell) {
    const id = await whichCommand(shell, COMMAND_ID, last)
    const client = shell.client()
    const { status, output_files } = await client.getCommand(id, {}, { signal: shell.signal })
    if (output_files === null) throw new Error(`${id} has no outputs: it is ${status}`)
    const outputs = new Map(
      Object.entries(output_files).map(([alias, file]) => [
        alias,
        path.join(dir, nameOf(alias, file)),
      ]),
    )
    await checkOutputs(outputs, overwrite)
    await mkdir(dir, { recursive: true })
    await fetchResults(client, shell, id, outputs)
    return 0
  },
})

/** The last part of the URL, which the service has limited to letters, digits and `_.-`. */
function nameOf(alias: string, { storage_url }: FileRecord): string {
  if (storage_url === null) throw new Error(`${alias} is deleted`)
  const name = path.posix.basename(decodeURIComponent(new URL(storage_url).pathname))
  if (!/^[\w-][\w.-]*$/.test(name))
    throw new Error(`${alias} has a name that is not safe here: '${name}'`)
  return name
}
