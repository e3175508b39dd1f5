import { join } from 'node:path'
import { sleep } from '../../../common/runtime/effects.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Log } from '../report/log.ts'
import { fingerprint } from '../upload/fingerprint.ts'
import type { UploadFile, createUploader } from '../upload/upload-files.ts'
import { watchSegments } from './segment-watch.ts'
import type { StoredFiles } from './store-outputs.ts'

export interface SegmentStoreDeps {
  readonly effects: Effects
  readonly log: Log
  readonly work: string
  readonly upload: ReturnType<typeof createUploader>
  /** Gets each file that is stored. */
  readonly stored: StoredFiles
  readonly signal: AbortSignal
}

export interface SegmentStore {
  /** Resolves when no segment is in flight any more. */
  readonly ended: Promise<void>
  /** FFmpeg writes no more of them. */
  end(): Promise<void>
}

const pollEveryMs = 250

/** Stores the segments of an output as soon as they are complete, while FFmpeg writes the next. */
export function storeSegments(alias: string, folder: string, deps: SegmentStoreDeps): SegmentStore {
  const { effects, log, work, upload, stored, signal } = deps
  const over = new AbortController()
  const watching = AbortSignal.any([signal, over.signal])
  const ended = follow()
  return {
    ended,
    async end() {
      over.abort()
      await ended
    },
  }

  async function follow(): Promise<void> {
    const segments = watchSegments(join(work, folder))
    const waiting: string[] = []
    let storing: Promise<void> | null = null
    for (;;) {
      await sleep(effects.clock, pollEveryMs, watching).catch(() => undefined)
      if (watching.aborted) break
      try {
        waiting.push(...segments.poll().map((path) => `${folder}/${path}`))
      } catch (error) {
        unlessAborted(error)
      }
      // One batch at a time: files found meanwhile go with the next.
      if (storing !== null || waiting.length === 0) continue
      storing = store(waiting.splice(0))
        .catch(unlessAborted)
        .then(() => {
          storing = null
        })
    }
    await storing
  }

  /** A head start that was lost. */
  function unlessAborted(error: unknown): void {
    if (signal.aborted) return
    log('info', 'segments not stored early; storing them after FFmpeg', { alias, error })
  }

  async function store(paths: readonly string[]): Promise<void> {
    const files: (UploadFile & { state: string })[] = []
    for (const path of paths) {
      const source = join(work, path)
      const found = fingerprint(source)
      if (found !== null) files.push({ path, source, alias, ...found })
    }
    if (files.length === 0) return
    await effects.failpoint('transfer.segments_stored', () => upload(files, signal))
    for (const { path, state } of files) stored.set(path, state)
  }
}
