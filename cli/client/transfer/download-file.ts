import { backoff } from '../../../common/runtime/backoff.ts'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sleep } from '../../../common/runtime/effects.ts'
import { systemClock } from '../../../common/runtime/system-effects.ts'
import type { Clock } from '../../../common/runtime/effects.ts'

/** Backoff without jitter: one client retries one request. */
const waits = { first: 1_000, longest: 60_000, jitter: [1, 1] } as const

export interface Download {
  /** Public or presigned. */
  readonly url: string
  /** Destination; its folder is created. */
  readonly file: string
  readonly signal?: AbortSignal
  readonly clock?: Clock
  readonly fetch?: typeof fetch
}

const attempts = 5

/**
 * Downloads a file. It gets its name once it is complete; after a broken connection the download
 * resumes.
 */
export async function downloadFile({
  url,
  file,
  clock = systemClock,
  ...how
}: Download): Promise<void> {
  const partial = `${file}.part`
  await mkdir(path.dirname(file), { recursive: true })
  await rm(partial, { force: true })
  let version: string | null = null
  for (let attempt = 1; ; attempt++) {
    try {
      const length = await sizeOf(partial)
      const ranged = length > 0 && version !== null
      const response: Response = await (how.fetch ?? fetch)(url, {
        ...(how.signal === undefined ? {} : { signal: how.signal }),
        // Without a version of the file, the rest may belong to another file than the beginning.
        headers: ranged ? { Range: `bytes=${length}-`, 'If-Range': version ?? '' } : {},
      })
      if (!response.ok) throw new Refused(response)
      version = response.headers.get('etag')
      const flags = response.status === 206 ? 'a' : 'w'
      await pipeline(
        response.body ?? [],
        createWriteStream(partial, { flags }),
        how.signal === undefined ? {} : { signal: how.signal },
      )
      return await rename(partial, file)
    } catch (error) {
      const final = how.signal?.aborted === true || !passes(error) || attempt >= attempts
      if (final) await rm(partial, { force: true })
      how.signal?.throwIfAborted()
      if (final) throw error
      await sleep(clock, backoff(waits, attempt, 0), how.signal)
    }
  }
}

class Refused extends Error {
  readonly status: number

  constructor({ status, statusText, url }: Response) {
    // The query of a presigned URL is a credential.
    super(`${url.split('?')[0]} answered ${status} ${statusText}`.trim())
    this.status = status
  }
}

function passes(error: unknown): boolean {
  if (error instanceof Refused) return error.status === 429 || error.status >= 500
  // fetch and its streams fail with a TypeError; every other error is of the local disk.
  return error instanceof TypeError
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => null)
  return found?.size ?? 0
}
