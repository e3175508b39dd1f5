import type { Look, LookKind } from './ffprobe-process.ts'

/** ffprobe processes for files that are still being written, started beside their writer. */
export interface ExpectedLooks {
  /** Starts them, or some of them: a missing one is started by the request for it. */
  expect(file: string, kinds: readonly LookKind[]): void
  /** null if none of this kind waits for the file. */
  take(file: string, kind: LookKind): Look | null
  /** The file will not be probed. */
  forget(file: string): void
}

export function createExpectedLooks(start: (kind: LookKind) => Look): ExpectedLooks {
  let waiting: { readonly file: string; readonly kind: LookKind; readonly look: Look }[] = []
  return {
    expect(file, kinds) {
      waiting = waiting.filter(({ look }) => look.isWaiting())
      for (const kind of kinds) {
        const isThere = waiting.some((each) => each.file === file && each.kind === kind)
        if (isThere || waiting.length >= mostWaiting) continue
        waiting.push({ file, kind, look: start(kind) })
      }
    },
    take(file, kind) {
      const found = waiting.find((each) => each.file === file && each.kind === kind)
      waiting = waiting.filter((each) => each !== found)
      // An ffprobe that the kernel has killed for memory says nothing about the file.
      return found?.look.isWaiting() === true ? found.look : null
    },
    forget(file) {
      for (const each of waiting) if (each.file === file) each.look.drop()
      waiting = waiting.filter((each) => each.file !== file)
    },
  }
}

/** Each has 10 MB of its own within FFmpeg's limit, and most commands have one output or two. */
const mostWaiting = 6
