import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Failure } from '../../../../common/domain/failures.ts'
import { runAll } from '../../runtime/run-all.ts'
import {
  bestVariant,
  fixedPlaylist,
  readPlaylist,
  renditionsOf,
  writePlaylist,
} from './hls-playlist.ts'
import type { MediaPlaylist } from './hls-playlist.ts'
import type { ListedFiles, WantedFile } from './listed-files.ts'
import { segmentExtension } from './segment-extension.ts'

export interface PlaylistRequest {
  readonly text: string
  /** URL of the playlist after redirects. */
  readonly url: string
  /** Whether the command reads a limited time of it. */
  readonly isBounded: boolean
  readonly files: ListedFiles
  readonly signal: AbortSignal
}

/** A media playlist of a day in segments of 2 s has 4 MB. */
const textBytesLimit = 10 * 1024 * 1024

/**
 * Fetches what an HLS playlist names: FFmpeg has no network. Of a master playlist, the variant that FFmpeg
 * would choose with its sound and subtitles.
 * @returns the playlist with the names of the files, relative to the folder
 * @throws Failure with a message that continues a sentence about the input
 */
export async function fetchPlaylist(request: PlaylistRequest): Promise<string> {
  const fetching = new PlaylistFiles(request)
  const playlist = readPlaylist(request.text)
  if (!playlist.isMasterPlaylist) return fetching.media(playlist, request.url)
  const variant = bestVariant(playlist)
  const renditions = renditionsOf(variant)
  if (renditions.length === 0) {
    const { text, url } = await fetching.text(variant.uri, request.url)
    return fetching.mediaText(text, url)
  }
  await Promise.all(
    [variant, ...renditions].map(async (one) => {
      one.uri = await fetching.mediaFile(one.uri ?? '', request.url)
    }),
  )
  playlist.variants = [variant]
  playlist.sessionKeyList = []
  playlist.sessionDataList = []
  return writePlaylist(playlist)
}

/** The playlists of one request and their files. */
class PlaylistFiles {
  readonly #request: PlaylistRequest

  constructor(request: PlaylistRequest) {
    this.#request = request
  }

  async text(uri: string, base: string): Promise<{ text: string; url: string }> {
    const { files, signal } = this.#request
    const path = files.newPath()
    const { url } = await files.fetch(resolved(uri, base), path, signal)
    const bytes = await readFile(path)
    if (bytes.length > textBytesLimit) {
      throw new Failure('INVALID_INPUT_FILE', 'a playlist in it is larger than 10 MB')
    }
    return { text: bytes.toString(), url }
  }

  async mediaFile(uri: string, base: string): Promise<string> {
    const { text, url } = await this.text(uri, base)
    const path = `${this.#request.files.newPath()}.m3u8`
    await writeFile(path, await this.mediaText(text, url))
    return basename(path)
  }

  mediaText(text: string, url: string): Promise<string> {
    const playlist = readPlaylist(text)
    if (!playlist.isMasterPlaylist) return this.media(playlist, url)
    throw new Failure('INVALID_INPUT_FILE', 'a playlist in it names playlists again')
  }

  async media(playlist: MediaPlaylist, base: string): Promise<string> {
    const { files, signal, isBounded } = this.#request
    const { segments } = fixedPlaylist(playlist, isBounded)
    files.plan(segments.length)
    // Segments share the objects of their keys and first parts.
    const keys = new Set(segments.flatMap(({ key }) => key ?? []))
    const maps = new Set(segments.flatMap(({ map }) => map ?? []))
    await runAll(signal, [
      ...[...keys].map((key) => async (stop: AbortSignal) => {
        if (key.uri !== undefined) key.uri = await this.#key(key.uri, base, stop)
      }),
      ...[...maps].map((map) => async (stop: AbortSignal) => {
        map.uri = await files.file(segmentOf(map.uri, base), stop)
      }),
      ...segments.map((segment) => async (stop: AbortSignal) => {
        segment.uri = await files.segment(segmentOf(segment.uri, base), stop)
      }),
    ])
    return writePlaylist(playlist)
  }

  /** @returns the name of the key's file: FFmpeg reads none but with the extension of a segment, and no `data:` */
  async #key(uri: string, base: string, signal: AbortSignal): Promise<string> {
    const { files } = this.#request
    const path = uri.startsWith('data:')
      ? await this.#embedded(uri)
      : files.inFolder(await files.file(segmentOf(uri, base), signal))
    const { size } = await stat(path)
    if (size === 16) return basename(path)
    throw new Failure(
      'INVALID_INPUT_FILE',
      `a key of the playlist has ${String(size)} bytes in place of 16`,
    )
  }

  async #embedded(uri: string): Promise<string> {
    const path = `${this.#request.files.newPath()}.ts`
    await writeFile(path, Buffer.from(await (await fetch(uri)).arrayBuffer()))
    return path
  }
}

function segmentOf(uri: string, base: string): WantedFile {
  const url = resolved(uri, base)
  return { url, extension: (path) => segmentExtension(path, url) }
}

function resolved(uri: string, base: string): URL {
  const url = URL.parse(uri, base)
  if (url !== null) return url
  throw new Failure(
    'INVALID_INPUT_FILE',
    `the playlist names '${uri.slice(0, 100)}', which is not a URL`,
  )
}
