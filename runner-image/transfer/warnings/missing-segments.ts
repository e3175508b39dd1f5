import { posix } from 'node:path'
import type { CommandWarning } from '../../../common/domain/command-warnings.ts'

/**
 * Files that an HLS playlist names and that are not stored beside it: a player meets 404.
 * @param playlist its own path and `stored` are relative to the output's folder
 */
export function missingSegments(
  text: string,
  playlist: {
    readonly alias: string
    readonly path: string
    readonly stored: ReadonlySet<string>
  },
): CommandWarning[] {
  const { alias, path, stored } = playlist
  const named = new Set(addressesIn(text).filter((address) => !hasScheme.test(address)))
  const missing = [...named].filter((address) => {
    const file = posix.join(posix.dirname(path), withoutQuery(address))
    return !stored.has(file) && !stored.has(decoded(file))
  })
  const [first] = missing
  if (first === undefined) return []
  const others = missing.length - 1
  return [
    {
      code: 'MISSING_SEGMENTS',
      message: `${path} of ${alias} names '${first.slice(0, longestName)}'${others > 0 ? ` and ${String(others)} more files` : ''}, which ${others > 0 ? 'are' : 'is'} not stored beside it. Write -hls_segment_filename without a folder, or give the same folder in -hls_base_url`,
      alias,
    },
  ]
}

function addressesIn(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    if (!line.startsWith('#')) return line.trim() === '' ? [] : [line.trim()]
    return [...line.matchAll(/\bURI="([^"]*)"/g)].flatMap(([, address]) => address ?? [])
  })
}

const hasScheme = /^(?:[a-z][a-z\d+.-]*:|\/)/i
const longestName = 100

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/, '')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // a '%' of FFmpeg's own naming
    return path
  }
}
