import { readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../../../../common/domain/failures.ts'
import { isManifest } from '../manifest/dash-manifest.ts'
import type { FetchedList, ListDependencies, OpenedList } from '../list-reader.ts'
import { isHlsPlaylist } from './hls-playlist.ts'
import { fetchConcat } from './fetch-concat.ts'
import { fetchManifest } from './fetch-manifest.ts'
import { createListSize, fetchPart } from './fetch-part.ts'
import { fetchPlaylist } from './fetch-playlist.ts'
import { ListedFiles } from './listed-files.ts'
import { localNames } from '../names/list-kind.ts'

/** A larger file is something else. */
const largestText = 10 * 1024 * 1024

/**
 * Reads a file that may name other files.
 * @param bounded aliases of which the command reads a limited time
 * @returns null if it is none
 */
export async function openList(
  input: FetchedList,
  bounded: readonly string[],
  deps: ListDependencies,
): Promise<OpenedList | null> {
  const { alias, kind, path } = input
  const bytes = await readFile(path)
  const text = bytes.length > largestText ? '' : bytes.toString().replace(/^\ufeff/, '')
  if (kind === 'concat' && bytes.length > largestText) {
    throw new Failure('INPUT_TOO_LARGE', 'the list is larger than 10 MB')
  }
  if (kind === 'hls' && !isHlsPlaylist(text)) return null
  if (kind === 'dash' && !isManifest(text)) return null
  const named = kind === 'concat' ? 'list' : 'playlist'
  const size = createListSize(deps, named)
  const files = new ListedFiles({
    kind: named,
    alias,
    folder: dirname(path),
    segments: deps.segments,
    fetch: (url, target, stop, place = '') =>
      fetchPart({ url, path: target, place, alias }, deps, size, stop),
  })
  return {
    localName: localNames[kind],
    async fetch(signal) {
      await writeFile(path, await local(signal))
      return size.total()
    },
  }

  function local(signal: AbortSignal): Promise<string> {
    const { url } = input
    switch (kind) {
      case 'hls':
        return fetchPlaylist({ text, url, isBounded: bounded.includes(alias), files, signal })
      case 'dash':
        return fetchManifest({ text, url, files, signal })
      case 'concat':
        return fetchConcat({ ...input, text, files, pathOf: deps.pathOf, signal })
    }
  }
}
