import { readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { listFiles } from './list-files.ts'
import { openRegularFile } from '../runtime/regular-file.ts'

/** FFmpeg writes some 40 bytes a segment. */
const longestPlaylist = 16 * 1024 * 1024

/**
 * Makes the addresses in HLS playlists relative to the playlists. FFmpeg's muxer writes the names
 * of keys, and of segments in folders that `-strftime_mkdir` makes, as it opened them: relative to
 * the working folder, which a player of the stream does not have.
 * @param folder of one output, relative to `work`; no process writes to it any more
 * @param newId names the new file until it replaces the playlist
 * @throws Failure INVALID_COMMAND for a file whose name cannot be read
 */
export async function relativePlaylists(
  work: string,
  folder: string,
  newId: () => string,
): Promise<void> {
  const base = join(work, folder)
  const known = new Set((await listFiles(base)).map(({ path }) => path))
  for (const path of known) {
    if (!/\.m3u8$/i.test(path)) continue
    const file = join(base, path)
    const text = playlistText(file)
    if (text?.includes(`${folder}/`) !== true) continue
    const changed = withRelativeAddresses(text, { folder, path, known })
    if (changed !== text) await replace(file, changed, newId())
  }
}

/** @param playlist its own path and those of all files are relative to the output's folder */
export function withRelativeAddresses(
  text: string,
  playlist: { readonly folder: string; readonly path: string; readonly known: ReadonlySet<string> },
): string {
  const { folder, path, known } = playlist
  const beside = posix.dirname(path)
  const fromPlaylist = (address: string): string => {
    if (!address.startsWith(`${folder}/`)) return address
    const within = posix.normalize(address.slice(folder.length + 1))
    const isRight = known.has(posix.join(beside, address)) || !known.has(within)
    return isRight ? address : posix.relative(beside, within)
  }
  return text
    .split('\n')
    .map((line) =>
      line.startsWith('#')
        ? line.replace(/(?<=URI=")[^"]*(?=")/g, fromPlaylist)
        : fromPlaylist(line.replace(/\r$/, '')) + (line.endsWith('\r') ? '\r' : ''),
    )
    .join('\n')
}

/** @returns null for what is not a regular file, or is longer than any that FFmpeg writes */
export function playlistText(file: string): string | null {
  const opened = openRegularFile(file)
  if (opened === null) return null
  try {
    return opened.sizeBytes > longestPlaylist ? null : readFileSync(opened.fd, 'utf8')
  } finally {
    opened.close()
  }
}

/**
 * Atomic, and under a name that no file of the customer can have. It is not derived from the
 * playlist's, which may be as long as a name can be.
 */
async function replace(file: string, text: string, id: string): Promise<void> {
  const fresh = join(dirname(file), id)
  try {
    await writeFile(fresh, text, { flag: 'wx' })
    await rename(fresh, file)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}
