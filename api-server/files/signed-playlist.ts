import { posix } from 'node:path'

/** A name that a playlist may give to a file beside itself: not a URL, an absolute path or a name with a query. */
const beside = /^(?![a-z][a-z0-9+.-]*:)[^/?#]/i
const playlist = /\.m3u8?$/i

/**
 * Names in a playlist of HLS of files that a player requests without further ado: segments, maps and keys. Other
 * playlists are left out, since a signature does not open what they name.
 * @param folder that of the playlist
 * @param root folder of the output, which no name leaves
 * @returns key by name
 */
export function namedFiles(text: string, folder: string, root: string): Map<string, string> {
  const keys = new Map<string, string>()
  replaceNames(text, (name) => {
    const key = posix.join(folder, name)
    if (beside.test(name) && !playlist.test(name) && key.startsWith(`${root}/`)) keys.set(name, key)
    return name
  })
  return keys
}

/** The playlist with other names; those without one stay. */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  return replaceNames(text, (name) => names.get(name) ?? name)
}

/** RFC 8216: a line that is not a tag is a name, and tags have names in their attribute URI. */
function replaceNames(text: string, replace: (name: string) => string): string {
  return text
    .split('\n')
    .map((line) => {
      const [, name = '', end = ''] = /^(.*?)(\s*)$/s.exec(line) ?? []
      if (name === '') return line
      if (!name.startsWith('#')) return replace(name) + end
      return line.replace(/(?<=[:,]URI=")[^"]+(?=")/g, replace)
    })
    .join('\n')
}
