import { UploadBlocked } from '../../cli/client/upload/part-errors.ts'
import { remedyFor } from '../parts/storage-remedy.ts'
import { EtagHidden, PartNotSent } from './put-part.ts'
import { StorageTrouble, troubleOf } from './storage-trouble.ts'
import type { PartProgress, PartRange } from '../../cli/client/upload/upload-parts.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { putPart } from './put-part.ts'

export interface PutDeps {
  readonly clock: Clock
  readonly origin: string
  readonly fetch: typeof fetch
  readonly putPart: typeof putPart
}

/**
 * Until a part is stored, a part that fails twice may be one that retries cannot mend: its cause is
 * looked for. A single failure may be a connection that broke.
 */
export function createPutOrExplain({ clock, origin, fetch, putPart }: PutDeps, file: File) {
  const schedule = (ms: number, callback: () => void) => clock.schedule(ms, callback)
  const failed = new Set<number>()
  let isProven = false
  return async (range: PartRange, progress: PartProgress): Promise<string> => {
    try {
      const etag = await putPart(file, range, progress, schedule)
      isProven = true
      return etag
    } catch (error) {
      if (error instanceof EtagHidden) {
        throw new StorageTrouble(`${error.message}.`, remedyFor(origin))
      }
      if (!(error instanceof PartNotSent) || progress.signal.aborted) throw error
      if (!(await isReadable(file))) {
        throw new UploadBlocked(
          `${file.name} cannot be read any more: it was changed or moved. Drop it again.`,
        )
      }
      if (isProven || !failed.has(range.start)) {
        failed.add(range.start)
        throw error
      }
      throw await troubleOf({ origin, url: range.url }, fetch)
    }
  }
}

async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
