import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import type { CommandStatusRecord } from '../../../cli/client/client.ts'

export interface Fetched {
  /** Differences of the records, in words. */
  readonly differences: readonly string[]
}

/**
 * Downloads the outputs of a command as its owner would: plain files by their URL, folders as a zip,
 * and of a playlist every file of `expected`, which lie beside the manifest.
 */
export async function fetchOutputs(
  record: CommandStatusRecord,
  declared: Readonly<Record<string, string>> | 'OUTPUT_FOLDER',
  { folder, expected }: { readonly folder: string; readonly expected: readonly string[] },
): Promise<Fetched> {
  const differences: string[] = []
  const names = declared === 'OUTPUT_FOLDER' ? { OUTPUT_FOLDER: '' } : declared
  const plainNames = new Set(Object.values(names))
  let playlistFiles = 0
  for (const [alias, name] of Object.entries(names)) {
    const file = record.output_files?.[alias]
    const url = file?.storage_url
    if (file === undefined || typeof url !== 'string') {
      differences.push(`there is no record of ${alias}`)
    } else if (declared === 'OUTPUT_FOLDER') {
      const count = await unpack(await get(url), folder)
      if (count !== file.file_count)
        differences.push(`${String(count)} files are ${String(file.file_count)} in the record`)
    } else if (/\.(?:m3u8|mpd)$/.test(name)) {
      if (file.file_type !== 'output_manifest')
        differences.push(`${name} is ${String(file.file_type)} in its record`)
      playlistFiles += file.file_count ?? 0
      for (const each of expected) {
        if (each !== name && plainNames.has(each)) continue
        const answer = await fetch(new URL(each, url))
        if (answer.ok) {
          await save(path.join(folder, each), Buffer.from(await answer.arrayBuffer()))
        } else {
          await answer.body?.cancel()
          differences.push(`${each} answers ${String(answer.status)} beside ${name}`)
        }
      }
    } else {
      await save(path.join(folder, name), await get(url))
    }
  }
  const inPlaylists = expected.filter(
    (name) => !plainNames.has(name) || /\.(?:m3u8|mpd)$/.test(name),
  )
  if (playlistFiles !== 0 && playlistFiles !== inPlaylists.length) {
    differences.push(
      `${String(inPlaylists.length)} files of playlists are ${String(playlistFiles)} in the records`,
    )
  }
  return { differences }
}

async function get(url: string): Promise<Buffer> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${String(answer.status)}`)
  return Buffer.from(await answer.arrayBuffer())
}

async function save(file: string, bytes: Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, bytes)
}

async function unpack(bytes: Buffer, folder: string): Promise<number> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true })
  let count = 0
  for await (const entry of zip.eachEntry()) {
    await save(
      path.join(folder, entry.fileName),
      await buffer(await zip.openReadStreamPromise(entry)),
    )
    count += 1
  }
  return count
}
