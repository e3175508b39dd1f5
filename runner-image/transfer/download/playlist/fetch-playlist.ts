import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Failure } from '../../../../common/domain/failures.ts'
import { createLimit } from '../../../../common/runtime/limit.ts'
import { together } from '../../runtime/run-all.ts'
import { segmentExtension } from './segment-extension.ts'
import {
  bestVariant,
  fixedPlaylist,
  readPlaylist,
  renditionsOf,
  writePlaylist,
} from './hls-playlist.ts'
import type { MediaPlaylist } from './hls-playlist.ts'

export interface PlaylistRequest {
  readonly text: string
  /** URL of the playlist after redirects. */
  readonly url: string
  /** Absolute; all files lie in it. */
  readonly folder: string
  /** Begins the names of all files. */
  readonly alias: string
  /** Whether the command reads a limited time of it. */
  readonly isBounded: boolean
  readonly signal: AbortSignal
  /** Fetches a file that the playlist names. @returns its URL after redirects @throws Failure */
  readonly fetch: (url: URL, path: string, signal: AbortSignal) => Promise<{ readonly url: string }>
}

const segmentsLimit = 20_000
const segmentsAtOnce = 8
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

/** The files that playlists name, each fetched once. */
class PlaylistFiles {
  readonly #request: PlaylistRequest
  readonly #limit = createLimit(segmentsAtOnce)
  readonly #names = new Map<string, Promise<string>>()
  #segments = 0
  #files = 0

  constructor(request: PlaylistRequest) {
    this.#request = request
  }

  async text(uri: string, base: string): Promise<{ text: string; url: string }> {
    const { signal } = this.#request
    const path = this.#newPath()
    const { url } = await this.#request.fetch(resolved(uri, base), path, signal)
    const bytes = await readFile(path)
    if (bytes.length > textBytesLimit) {
      throw new Failure('INVALID_INPUT_FILE', 'a playlist in it is larger than 10 MB')
    }
    return { text: bytes.toString(), url }
  }

  async mediaFile(uri: string, base: string): Promise<string> {
    const { text, url } = await this.text(uri, base)
    const path = `${this.#newPath()}.m3u8`
    await writeFile(path, await this.mediaText(text, url))
    return basename(path)
  }

  mediaText(text: string, url: string): Promise<string> {
    const playlist = readPlaylist(text)
    if (!playlist.isMasterPlaylist) return this.media(playlist, url)
    throw new Failure('INVALID_INPUT_FILE', 'a playlist in it names playlists again')
  }

  async media(playlist: MediaPlaylist, base: string): Promise<string> {
    const { signal, isBounded } = this.#request
    const { segments } = fixedPlaylist(playlist, isBounded)
    this.#segments += segments.length
    if (this.#segments > segmentsLimit) {
      throw new Failure(
        'INPUT_TOO_LARGE',
        `the playlist names more than ${String(segmentsLimit)} segments`,
      )
    }
    // Segments share the objects of their keys and first parts.
    const keys = new Set(segments.flatMap(({ key }) => key ?? []))
    const maps = new Set(segments.flatMap(({ map }) => map ?? []))
    await together(signal, [
      ...[...keys].map((key) => async (stop: AbortSignal) => {
        if (key.uri !== undefined) key.uri = await this.#key(key.uri, base, stop)
      }),
      ...[...maps, ...segments].map((one) => async (stop: AbortSignal) => {
        one.uri = await this.#file(one.uri, base, stop)
      }),
    ])
    return writePlaylist(playlist)
  }

  /** @returns the name of the key's file: FFmpeg reads none but with the extension of a segment, and no `data:` */
  async #key(uri: string, base: string, signal: AbortSignal): Promise<string> {
    const name = uri.startsWith('data:')
      ? await this.#embedded(uri)
      : await this.#file(uri, base, signal)
    const { size } = await stat(join(this.#request.folder, name))
    if (size === 16) return name
    throw new Failure(
      'INVALID_INPUT_FILE',
      `a key of the playlist has ${String(size)} bytes in place of 16`,
    )
  }

  async #embedded(uri: string): Promise<string> {
    const path = `${this.#newPath()}.ts`
    await writeFile(path, Buffer.from(await (await fetch(uri)).arrayBuffer()))
    return basename(path)
  }

  /** @returns its name in the folder */
  #file(uri: string, base: string, signal: AbortSignal): Promise<string> {
    const url = resolved(uri, base)
    const known = this.#names.get(url.href)
    if (known !== undefined) return known
    const name = this.#limit(async () => {
      signal.throwIfAborted()
      const path = this.#newPath()
      await this.#request.fetch(url, path, signal)
      const named = `${path}.${await segmentExtension(path, url)}`
      await rename(path, named)
      return basename(named)
    })
    // Each segment that is of this file gets its error.
    name.catch(() => undefined)
    this.#names.set(url.href, name)
    return name
  }

  #newPath(): string {
    this.#files += 1
    return join(this.#request.folder, `${this.#request.alias}.${String(this.#files)}`)
  }
}

function resolved(uri: string, base: string): URL {
  const url = URL.parse(uri, base)
  if (url !== null) return url
  throw new Failure(
    'INVALID_INPUT_FILE',
    `the playlist names '${uri.slice(0, 100)}', which is not a URL`,
  )
}
