import path from 'node:path'
import { downloadFile } from '../client/transfer/download-file.ts'
import { describe } from '../job/fetch-results.ts'
import { checkLocalFile, notStandardStream } from '../job/local-file.ts'
import { whichCommand, wholeIdIn } from '../existing/which-command.ts'
import type { FileListItem } from '../../common/openapi/openapi-types.ts'
import { cliCommand } from '../terminal/cli-command.ts'
import type { OptionValues } from '../terminal/cli-command.ts'
import { listLimit, UsageError, wholeNumber } from '../terminal/usage-error.ts'
import { mbytesText } from '../terminal/shell.ts'
import type { Shell } from '../terminal/shell.ts'
import { uploadOne } from '../job/upload-inputs.ts'

const listOptions = {
  '--limit <NUMBER>': { text: 'the number of files', default: '50' },
  '--offset <NUMBER>': { text: 'leave so many newer ones out', default: '0' },
  '--json': "print the service's whole answer",
} as const

const list = cliCommand({
  summary: 'the stored files',
  example: 'files list',
  options: listOptions,
  run: listFiles,
})

const get = cliCommand({
  summary: "a file's record",
  example: 'files get --presign 3600 FILE_ID',
  args: ['<FILE_ID>'],
  options: { '--presign <SECONDS>': 'with a URL that opens the file for this time' },
  async run({ FILE_ID, presign }, shell) {
    const presigned =
      presign === undefined ? {} : { presigned_ttl_seconds: wholeNumber('presign', presign) }
    const record = await shell
      .client()
      .getFile(fileIdIn(FILE_ID), presigned, { signal: shell.signal })
    shell.print(JSON.stringify(record, null, 2))
    return 0
  },
})

const remove = cliCommand({
  summary: 'delete files, or with --of all outputs of a command',
  example: 'files delete FILE_ID',
  args: ['[FILE_ID...]'],
  options: { '--of <COMMAND_ID>': 'all files of a command' },
  async run({ FILE_ID: ids, of }, shell) {
    const { signal } = shell
    if (of === undefined) {
      if (ids.length === 0)
        throw new UsageError('expected FILE_ID, one or more, or --of COMMAND_ID')
      for (const id of ids.map(fileIdIn)) await shell.client().deleteFile(id, { signal })
      return 0
    }
    if (ids.length > 0) {
      throw new UsageError('--of means all files of a command: leave FILE_ID out')
    }
    await shell.client().deleteCommandFiles(await whichCommand(shell, of, false), { signal })
    return 0
  },
})

const upload = cliCommand({
  summary: 'keep a file for many commands',
  about: 'Uploads a file. An upload that was interrupted goes on when it is started again.',
  example: 'files upload clip.mov',
  args: ['<PATH>'],
  options: {
    '--private': 'only presigned URLs open the file',
    '--json': "print the file's record",
  },
  async run({ PATH, private: isPrivate, json }, shell) {
    const file = notStandardStream(PATH, 'PATH')
    await checkLocalFile(file)
    const client = shell.client()
    const sent = await uploadOne(client, shell, file, isPrivate)
    shell.progress.show(`analysing ${path.basename(file)}`)
    const record = await client.waitForFile(sent.file_id, { signal: shell.signal })
    shell.progress.say(`${file}: ${describe(record)}`)
    shell.print(json ? JSON.stringify(record, null, 2) : record.file_id)
    return record.status === 'STORED' ? 0 : 1
  },
})

const download = cliCommand({
  summary: 'a file under a name of yours',
  example: 'files download FILE_ID clip.mov',
  args: ['<FILE_ID>', '<PATH>'],
  async run({ FILE_ID, PATH: file }, shell) {
    notStandardStream(file, 'PATH')
    const { signal, clock } = shell
    const presigned = { presigned_ttl_seconds: 3_600 }
    const record = await shell.client().getFile(fileIdIn(FILE_ID), presigned, { signal })
    if (record.storage_url === null) {
      throw new Error(`the file is ${record.is_deleted ? 'deleted' : 'not stored yet'}`)
    }
    shell.progress.show(`downloading ${path.basename(file)}`)
    await downloadFile({ url: record.storage_url, file, signal, clock })
    shell.progress.say(`${file}: ${describe(record)}`)
    return 0
  },
})

export const files = cliCommand({
  summary: 'list, get, delete, upload, download',
  about:
    'Lists, gets, deletes, uploads and downloads files of the account; without a verb it lists them.',
  options: listOptions,
  verbs: { list, get, delete: remove, upload, download },
  run: listFiles,
})

async function listFiles(
  { limit, offset, json }: OptionValues<typeof listOptions>,
  shell: Shell,
): Promise<number> {
  const query = { limit: listLimit(limit), offset: wholeNumber('offset', offset) }
  const found = await shell.client().listFiles(query, { signal: shell.signal })
  if (json) shell.print(JSON.stringify(found, null, 2))
  else for (const file of found) shell.print(lineOf(file))
  return 0
}

function fileIdIn(text: string): string {
  return wholeIdIn('FILE_ID', text, 'cloud-ffmpeg files')
}

/** Id, status, size, name. */
function lineOf(file: FileListItem): string {
  const size = file.size_mbytes === null ? '-' : mbytesText(file.size_mbytes)
  // A presigned URL is recognised by its path; its signature is not for a terminal's history.
  const url = (file.storage_url ?? file.original_file_url ?? '').replace(/\?.*$/, '')
  const facts = [(file.status ?? '').padEnd(11), size.padStart(10), path.basename(url)]
  return [file.file_id, ...facts].join('  ')
}
