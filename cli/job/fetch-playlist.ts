import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { downloadFile } from '../client/transfer/download-file.ts'
import type { Download } from '../client/transfer/download-file.ts'

/**
 * Downloads an HLS playlist with all files it names: segments, init sections, playlists of variants.
 * Each keeps its path relative to the manifest.
 * @returns the number of files
 * @throws Error if a manifest names a file outside its own folder
 */
export async function fetchPlaylist(playlist: Download): Promise<number> {
  const root = new URL('.', playlist.url)
  const folder = path.dirname(path.resolve(playlist.file))
  const waiting = [{ url: new URL(playlist.url), file: path.resolve(playlist.file) }]
  const seen = new Set(waiting.map(({ url }) => url.href))
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    await downloadFile({ ...playlist, url: next.url.href, file: next.file })
    if (!next.url.pathname.endsWith('.m3u8')) continue
    for (const name of namesIn(await readFile(next.file, 'utf8'))) {
      const url = new URL(name, next.url)
      if (seen.has(url.href)) continue
      seen.add(url.href)
      waiting.push({ url, file: path.join(folder, placeBelow(root, url)) })
    }
  }
  return seen.size
}

/** Lines that are not comments, and the URI attribute of tags (RFC 8216, section 4). */
function namesIn(manifest: string): string[] {
  return manifest.split(/\r?\n/).flatMap((line) => {
    if (line.startsWith('#')) return /[:,]URI="([^"]+)"/.exec(line)?.[1] ?? []
    return line.trim() === '' ? [] : [line.trim()]
  })
}

/** A manifest is untrusted: it must not choose where on this disk a file is written. */
function placeBelow(root: URL, url: URL): string {
  const place = decodeURIComponent(url.pathname.slice(root.pathname.length))
  const inside = url.origin === root.origin && url.pathname.startsWith(root.pathname)
  if (!inside || path.normalize(place).startsWith('..') || path.isAbsolute(place)) {
    throw new Error(`the playlist names a file outside its folder: ${url.origin}${url.pathname}`)
  }
  return place
}
