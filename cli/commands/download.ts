import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { checkOutputs } from '../job/job.ts'
import { fetchResults } from '../job/fetch-results.ts'
import { whichCommand, whichOptions } from '../existing/which-command.ts'
import { parsed } from '../terminal/parse.ts'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

/** Downloads all outputs of a command, under the names that they have in storage. */
export async function download(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, {
    ...whichOptions,
    dir: { type: 'string', short: 'd', default: '.' },
    overwrite: { type: 'boolean', short: 'y', default: false },
  })
  const id = await whichCommand(shell, positionals, values)
  const client = shell.client()
  const { status, output_files } = await client.getCommand(id, {}, { signal: shell.signal })
  if (output_files === null) throw new Error(`${id} has no outputs: it is ${status}`)
  const outputs = new Map(
    Object.entries(output_files).map(([alias, file]) => [
      alias,
      path.join(values.dir, nameOf(alias, file)),
    ]),
  )
  await checkOutputs(outputs, values.overwrite)
  await mkdir(values.dir, { recursive: true })
  await fetchResults(client, shell, id, outputs)
  return 0
}

/** The last part of the URL, which the service has limited to letters, digits and `_.-`. */
function nameOf(alias: string, { storage_url }: FileRecord): string {
  if (storage_url === null) throw new Error(`${alias} is deleted`)
  const name = path.posix.basename(decodeURIComponent(new URL(storage_url).pathname))
  if (!/^[\w-][\w.-]*$/.test(name))
    throw new Error(`${alias} has a name that is not safe here: '${name}'`)
  return name
}
