import type { FfprobeProcess, ProbeKind } from './ffprobe-process.ts'

/** ffprobe processes for files that are still being written, started beside their writer. */
export interface FfprobePool {
  /** Starts them, or some of them: a missing one is started by the request for it. */
  expect(file: string, kinds: readonly ProbeKind[]): void
  /** null if none of this kind waits for the file. */
  take(file: string, kind: ProbeKind): FfprobeProcess | null
  /** The file will not be probed. */
  forget(file: string): void
}

export function createFfprobePool(start: (kind: ProbeKind) => FfprobeProcess): FfprobePool {
  let waiting: {
    readonly file: string
    readonly kind: ProbeKind
    readonly process: FfprobeProcess
  }[] = []
  return {
    expect(file, kinds) {
      waiting = waiting.filter(({ process }) => process.isWaiting())
      for (const kind of kinds) {
        const isThere = waiting.some((each) => each.file === file && each.kind === kind)
        if (isThere || waiting.length >= mostWaiting) continue
        waiting.push({ file, kind, process: start(kind) })
      }
    },
    take(file, kind) {
      const found = waiting.find((each) => each.file === file && each.kind === kind)
      waiting = waiting.filter((each) => each !== found)
      // An ffprobe that the kernel has killed for memory says nothing about the file.
      return found?.process.isWaiting() === true ? found.process : null
    },
    forget(file) {
      for (const each of waiting) if (each.file === file) each.process.drop()
      waiting = waiting.filter((each) => each.file !== file)
    },
  }
}

/** Each has 10 MB of its own within FFmpeg's limit, and most commands have one output or two. */
const mostWaiting = 6
