import type { FileHandle } from 'node:fs/promises'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { GrowingFileWriter } from './growing-file.ts'
import type { Version } from './http/range-response.ts'
import type { AnswerNames } from './names/file-name.ts'
import type { OpenUrl } from './open-url.ts'
import type { Turn } from './origin-turns.ts'

export interface FileRequest {
  readonly url: URL
  readonly file: FileHandle
  readonly open: OpenUrl
  readonly effects: Effects
  readonly signal: AbortSignal
  readonly watch: FetchWatch
  /** Notified of the length that is in place. */
  readonly growing: GrowingFileWriter
  /** A reader may read the file while it is downloaded. */
  readonly isRead: boolean
  /** The place of this file among those from its server. */
  readonly turn: Pick<Turn, 'began' | 'others'>
}

/** Callbacks for a fetch while it runs; every function may throw a Failure. */
export interface FetchWatch {
  /** Headers of a whole file are here, at most once per version of it. */
  readonly onVersion: (version: Version, names: AnswerNames) => void
  /** Bytes before they are written; in order where the file's length is not known. */
  readonly onPiece: (piece: Buffer, position: number) => void
}
