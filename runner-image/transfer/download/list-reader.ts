import type { FetchDependencies } from './fetch-input.ts'
import type { ListKind } from './names/list-kind.ts'

/** An input that may name other files. */
export interface FetchedList {
  readonly alias: string
  readonly kind: ListKind
  /** Absolute path of the file that was fetched. */
  readonly path: string
  /** After redirects. */
  readonly url: string
  /** It came from our own storage. */
  readonly isStored: boolean
}

/** A list whose files are not fetched yet. */
export interface OpenedList {
  /** A name with the extension that FFmpeg knows it by. */
  readonly localName: string
  /**
   * Fetches what it names, and puts local names in their places.
   * @returns bytes of all its files
   * @throws Failure
   */
  fetch(signal: AbortSignal): Promise<number>
}

export interface ListReader {
  /** Aliases that FFmpeg reads as lists of files. */
  readonly concat: readonly string[]
  /** @returns null for a file that is no list */
  open(list: FetchedList, deps: FetchDependencies): Promise<OpenedList | null>
}
