import type { Effects } from '../../../common/runtime/effects.ts'
import type { ByteBudget } from './http/byte-budget.ts'
import type { ListKind } from './names/list-kind.ts'
import type { OpenUrl } from './open-url.ts'
import type { OriginTurns } from './origin-turns.ts'
import type { SegmentCount } from './segment-count.ts'

/** Dependencies that the files of lists share with all inputs of the command. */
export interface ListDependencies {
  /** Opens customers' URLs. */
  readonly guarded: OpenUrl
  readonly effects: Effects
  readonly turns: OriginTurns
  readonly budget: ByteBudget
  readonly fileBytes: number | null
  readonly segments: SegmentCount
  /** Path at which FFmpeg opens another input, once it is known; null: the command has no such input. */
  readonly pathOf: (alias: string) => Promise<string> | null
}

/** An input that may name other files. */
export interface FetchedList {
  readonly alias: string
  readonly kind: ListKind
  /** Absolute path of the file that was fetched. */
  readonly path: string
  /** After redirects. */
  readonly url: string
  /** The list came from our own storage. */
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
  /** @returns null for any other file */
  open(list: FetchedList, deps: ListDependencies): Promise<OpenedList | null>
}
