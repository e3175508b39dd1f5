import path from 'node:path'
import { downloadFile } from '../client/transfer/download-file.ts'
import { describe } from '../job/fetch-results.ts'
import { checkLocalFile, notStandardStream } from '../job/local-file.ts'
import { whichCommand } from '../existing/which-command.ts'
import { exactly, parsed, unknownVerb, wholeNumber, UsageError } from '../terminal/parse.ts'
import { mbytesText } from '../terminal/shell.ts'
import { uploadOne } from '../job/upload-inputs.ts'
import type { CliCommand, Shell } from '../terminal/shell.ts'

const verbs: Readonly<Record<string, CliCommand>> = { list, get, delete: remove, upload, download }

/** `files list|get|delete|upload|download` */
export async function files([verb = '', ...args]: string[], shell: Shell): Promise<number> {
  const command = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (command === undefined) {
    throw new UsageError(unknownVerb('files', verb, Object.keys(verbs)))
  }
  return command(args, shell)
}

async function list(args: string[], shell: Shell): Promise<number> {
  const { values } = parsed(args, {
    limit: { type: 'string', default: '50' },
    offset: { type: 'string', default: '0' },
    json: { type: 'boolean' },
  })
  const query = {
    limit: wholeNumber('limit', values.limit),
    offset: wholeNumber('offset', values.offset),
  }
  const found = await shell.client().listFiles(query, { signal: shell.signal })
  if (values.json) shell.print(JSON.stringify(found, null, 2))
  for (const file of values.json ? [] : found) {
    const size = file.size_mbytes === null ? '-' : mbytesText(file.size_mbytes)
    // A presigned URL is recognised by its path; its signature is not for a terminal's history.
    const url = (file.storage_url ?? file.original_file_url ?? '').replace(/\?.*$/, '')
    const name = path.basename(url)
    shell.print([file.file_id, (file.status ?? '').padEnd(11), size.padStart(10), name].join('  '))
  }
  return 0
}

async function get(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, { presign: { type: 'string' } })
  const { FILE_ID: id } = exactly(positionals, 'FILE_ID')
  const presigned =
    values.presign === undefined
      ? {}
      : { presigned_ttl_seconds: wholeNumber('presign', values.presign) }
  const record = await shell.client().getFile(id, presigned, { signal: shell.signal })
  shell.print(JSON.stringify(record, null, 2))
  return 0
}

async function remove(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, { of: { type: 'string' } })
  const client = shell.client()
  const { signal } = shell
  if (values.of !== undefined) {
    if (positionals.length > 0)
      throw new UsageError('--of means all files of a command: leave FILE_ID out')
    await client.deleteCommandFiles(await whichCommand(shell, [values.of], { last: false }), {
      signal,
    })
    return 0
  }
  if (positionals.length === 0)
    throw new UsageError('expected FILE_ID, one or more, or --of COMMAND_ID')
  for (const id of positionals) await client.deleteFile(id, { signal })
  return 0
}

async function upload(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, {
    private: { type: 'boolean', default: false },
    json: { type: 'boolean' },
  })
  const file = notStandardStream(exactly(positionals, 'PATH').PATH, 'PATH')
  await checkLocalFile(file)
  const client = shell.client()
  const sent = await uploadOne(client, shell, file, values.private)
  shell.progress.show(`analysing ${path.basename(file)}`)
  const record = await client.waitForFile(sent.file_id, { signal: shell.signal })
  shell.progress.say(`${file}: ${describe(record)}`)
  shell.print(values.json ? JSON.stringify(record, null, 2) : record.file_id)
  return record.status === 'STORED' ? 0 : 1
}

async function download(args: string[], shell: Shell): Promise<number> {
  const { FILE_ID: id, PATH: file } = exactly(parsed(args, {}).positionals, 'FILE_ID', 'PATH')
  notStandardStream(file, 'PATH')
  const { signal, clock } = shell
  const record = await shell.client().getFile(id, { presigned_ttl_seconds: 3_600 }, { signal })
  if (record.storage_url === null) {
    throw new Error(`the file is ${record.is_deleted ? 'deleted' : 'not stored yet'}`)
  }
  shell.progress.show(`downloading ${path.basename(file)}`)
  await downloadFile({ url: record.storage_url, file, signal, clock })
  shell.progress.say(`${file}: ${describe(record)}`)
  return 0
}
