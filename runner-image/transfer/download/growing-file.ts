/** A file that is being fetched, from the view of its concurrent readers. */
export interface GrowingFile {
  /** Absolute. */
  readonly path: string
  /** Counts versions of the source: bytes read under one must not be joined to another's. */
  readonly version: number
  /** Bytes from the start that are in place; falls to 0 with a new version. */
  readonly head: number
  /** null = the server does not say. */
  readonly totalBytes: number | null
  readonly complete: boolean
  /** Resolves at the next change of any of these. */
  changed(): Promise<void>
}

export interface GrowingFileWriter extends GrowingFile {
  /** Call before a byte of the new version is written. */
  begin(totalBytes: number | null): void
  grow(head: number): void
  finish(): void
}

export function createGrowingFile(path: string): GrowingFileWriter {
  let [version, head, complete] = [0, 0, false]
  let totalBytes: number | null = null
  let change: PromiseWithResolvers<void> | null = null

  function notify(): void {
    change?.resolve()
    change = null
  }

  return {
    path,
    get version() {
      return version
    },
    get head() {
      return head
    },
    get totalBytes() {
      return totalBytes
    },
    get complete() {
      return complete
    },
    changed() {
      change ??= Promise.withResolvers<void>()
      return change.promise
    },
    begin(bytes) {
      version++
      head = 0
      totalBytes = bytes
      notify()
    },
    grow(bytes) {
      if (bytes === head) return
      head = bytes
      notify()
    },
    finish() {
      complete = true
      notify()
    },
  }
}
