import { rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Failure } from '../../../../common/domain/failures.ts'
import { createLimit } from '../../../../common/bounded/limit.ts'
import type { SegmentCount } from '../segment-count.ts'

export interface FetchedFile {
  /** After redirects. */
  readonly url: string
  /** Name by the server or the URL; null: neither has one. */
  readonly fileName: string | null
}

export interface ListedFilesRequest {
  /** Absolute; all files lie in it. */
  readonly folder: string
  /** Begins the names of all files. */
  readonly alias: string
  /** Word of messages. */
  readonly kind: 'playlist' | 'list'
  readonly segments: SegmentCount
  /**
   * Fetches a file that the list names. @param place added to its name in messages @throws Failure
   */
  readonly fetch: (
    url: URL,
    path: string,
    signal: AbortSignal,
    place?: string,
  ) => Promise<FetchedFile>
}

export interface WantedFile {
  readonly url: URL
  /** The line of the list, added to its name in messages. */
  readonly place?: string
  /** The extension of the file in the folder, without its dot; empty: none. @throws Failure */
  readonly extension: (path: string, file: FetchedFile) => Promise<string> | string
}

export const segmentsLimit = 20_000
const filesAtOnce = 8

/** The files that a list names, each fetched once. */
export class ListedFiles {
  readonly #request: ListedFilesRequest
  readonly #limit = createLimit(filesAtOnce)
  readonly #names = new Map<string, Promise<string>>()
  #planned = 0
  #files = 0

  constructor(request: ListedFilesRequest) {
    this.#request = request
  }

  /** Call before the segments are fetched. @throws Failure if the list names too many */
  plan(segments: number): void {
    this.#planned += segments
    if (this.#planned > segmentsLimit) {
      const { kind } = this.#request
      const what = kind === 'list' ? 'files' : 'segments'
      const limit = String(segmentsLimit)
      throw new Failure('INPUT_TOO_LARGE', `the ${kind} names more than ${limit} ${what}`)
    }
    this.#request.segments.plan(segments)
  }

  /** Fetches a file that was planned. @returns its name in the folder */
  async segment(wanted: WantedFile, signal: AbortSignal): Promise<string> {
    const name = await this.file(wanted, signal)
    this.#request.segments.fetched()
    return name
  }

  /** @returns its name in the folder */
  file({ url, place, extension }: WantedFile, signal: AbortSignal): Promise<string> {
    const known = this.#names.get(url.href)
    if (known !== undefined) return known
    const name = this.#limit(async () => {
      signal.throwIfAborted()
      const path = this.newPath()
      const file = await this.#request.fetch(url, path, signal, place)
      const suffix = await extension(path, file)
      const named = suffix === '' ? path : `${path}.${suffix}`
      if (named !== path) await rename(path, named)
      return basename(named)
    })
    // Each place of the list that names this file gets its error.
    name.catch(() => undefined)
    this.#names.set(url.href, name)
    return name
  }

  /** Fetches a file of which the caller chooses the path. */
  fetch(url: URL, path: string, signal: AbortSignal): Promise<FetchedFile> {
    return this.#request.fetch(url, path, signal)
  }

  newPath(): string {
    this.#files += 1
    return this.inFolder(`${this.#request.alias}.${String(this.#files)}`)
  }

  /** @returns the absolute path of a file by its name */
  inFolder(name: string): string {
    return join(this.#request.folder, name)
  }
}
