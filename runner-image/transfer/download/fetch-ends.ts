import type { FileHandle } from 'node:fs/promises'
import type { Effects } from '../../../common/runtime/effects.ts'
import { Failure } from '../../../common/domain/failures.ts'
import { TransientFetchError } from './fetch-error.ts'
import { directPool } from './http/connection-pool.ts'
import { directOpen } from './open-url.ts'
import type { OpenUrl } from './open-url.ts'
import { createTries } from './retry.ts'
import type { UrlResponse } from './http/carry-response.ts'
import { writeBody } from './http/write-body.ts'

export interface EndsRequest {
  /** Presigned URL of an object of our own storage, which is never overwritten. */
  readonly url: URL
  /** Empty. */
  readonly file: FileHandle
  readonly sizeBytes: number
  readonly effects: Effects
  readonly endBytes?: number
}

/** An index of some hours of video is a few MiB, and it is at one of the ends. */
const defaultEndBytes = 64 * 1024 * 1024

/**
 * Makes a file of the object's size with its first and last bytes in place and a hole between, which
 * takes no room on the disk.
 * @throws Failure where the storage does not give the bytes
 */
export async function fetchEnds(request: EndsRequest, signal: AbortSignal): Promise<void> {
  const { file, sizeBytes, effects, endBytes = defaultEndBytes } = request
  const pool = directPool(effects.clock)
  const open = directOpen(pool, effects.clock)
  await file.truncate(sizeBytes)
  const tailStart = Math.max(endBytes, sizeBytes - endBytes)
  try {
    await fetchRange(request, open, { first: 0, end: Math.min(endBytes, sizeBytes) }, signal)
    if (tailStart < sizeBytes) {
      await fetchRange(request, open, { first: tailStart, end: sizeBytes }, signal)
    }
  } finally {
    pool.close()
  }
}

async function fetchRange(
  { url, file, effects }: EndsRequest,
  open: OpenUrl,
  { first, end }: { first: number; end: number },
  signal: AbortSignal,
): Promise<void> {
  const target = {
    file,
    position: first,
    end: () => end,
    onPiece: () => undefined,
    onWritten: () => undefined,
  }
  const tries = createTries(effects, signal)
  while (target.position < end) {
    try {
      await effects.failpoint('transfer.part_fetched', async () => {
        const range = `bytes=${String(target.position)}-${String(end - 1)}`
        const { response } = await open(url, { range, 'accept-encoding': 'identity' }, signal)
        await writeBody(checked(response), target, effects.clock)
        if (target.position < end) throw new TransientFetchError('was cut short', null)
      })
    } catch (error) {
      await tries.afterError(error)
    }
  }
}

/** A server that sends the whole file in place of a range would put its beginning at the end. */
function checked(response: UrlResponse): UrlResponse {
  const { status } = response
  if (status === 206) return response
  response.destroy()
  const message = `answered ${String(status)} to a request for a range`
  throw status >= 500 || status === 429
    ? new TransientFetchError(message, null)
    : new Failure('STORAGE_ERROR', message)
}
