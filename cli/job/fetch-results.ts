import path from 'node:path'
import { fetchPlaylist } from './fetch-playlist.ts'
import { mbytesText } from '../terminal/shell.ts'
import { downloadFile } from '../client/transfer/download-file.ts'
import type { Shell } from '../terminal/shell.ts'
import type { Client } from '../client/client.ts'
import type { CommandStatusRecord, FileRecord } from '../../common/openapi/openapi-types.ts'

/** Lifetime of presigned URLs of private outputs; a broken download can resume within it. */
const presignedSeconds = 3_600

/** Downloads each output to its path, and prints its facts. */
export async function fetchResults(
  client: Client,
  shell: Shell,
  commandId: string,
  outputs: ReadonlyMap<string, string>,
): Promise<CommandStatusRecord> {
  const { signal } = shell
  const record = await client.getCommand(
    commandId,
    { presigned_ttl_seconds: presignedSeconds },
    { signal },
  )
  for (const [alias, file] of outputs) {
    const stored = record.output_files?.[alias]
    if (stored === undefined) throw new Error(`${alias}: the command has no such output`)
    shell.progress.show(`downloading ${path.basename(file)}`)
    shell.progress.say(await fetchOne(shell, stored, file))
  }
  return record
}

async function fetchOne(
  { signal, clock }: Shell,
  stored: FileRecord,
  file: string,
): Promise<string> {
  const url = stored.storage_url
  if (url === null) throw new Error(`${file}: the output is deleted already`)
  const download = { url, file, signal, clock }
  if (stored.file_type !== 'output_manifest') {
    await downloadFile(download)
    return `${file}: ${describe(stored)}`
  }
  if (stored.is_private) {
    return `${file}: not fetched, a presigned URL opens the manifest of a private playlist only; use OUTPUT_FOLDER for private packages`
  }
  if (stored.file_format !== 'm3u8') {
    return `${file}: not fetched, players read it at ${url}; use OUTPUT_FOLDER to get its files`
  }
  const count = await fetchPlaylist(download)
  return `${file}: ${count} files, ${describe(stored)}`
}

export function describe(file: FileRecord): string {
  const size = file.width === null ? null : `${file.width}x${file.height}`
  const duration = file.duration === null ? null : `${file.duration.toFixed(1)} s`
  const mbytes = file.size_compressed_mbytes ?? file.size_mbytes
  return [file.codec, size, duration, mbytes === null ? null : mbytesText(mbytes)]
    .filter((part) => part !== null)
    .join(', ')
}
