import type { Signal } from '@preact/signals'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'
import type { PartRetry } from '../../cli/client/upload/upload-parts.ts'

export type UploadState =
  | { readonly kind: 'waiting' }
  /** `retry`: a part that failed and is not stored yet. */
  | { readonly kind: 'sending'; readonly retry: PartRetry | null }
  | { readonly kind: 'paused' }
  /** Begun before this page was loaded: the file has to be given again. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly problem: unknown }
  | { readonly kind: 'done'; readonly file: FileRecord }

export interface Upload {
  readonly id: string
  readonly name: string
  readonly sizeBytes: number
  readonly state: Signal<UploadState>
  /** Never falls: a part that is sent again is counted once it exceeds what was sent. */
  readonly sentBytes: Signal<number>
  /** Bytes a second. */
  readonly speed: Signal<number | null>
  readonly pause: () => void
  readonly resume: () => void
  /** Ends it, in the storage too. */
  discard(): Promise<void>
}
