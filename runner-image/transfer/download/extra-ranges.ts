import type { FileHandle } from 'node:fs/promises'
import { Failure } from '../../../common/domain/failures.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { RequestedRange, Version } from './http/range-response.ts'
import { SourceChanged, TransientFetchError, fetchError } from './fetch-error.ts'
import type { UrlResponse } from './http/carry-response.ts'
import { writeBody } from './http/write-body.ts'
import type { Part } from './parts.ts'

export interface ExtraRangesRequest {
  readonly file: FileHandle
  readonly version: Version
  /** Without that of the stream. */
  readonly connections: number
  /** @throws TransientFetchError, SourceChanged, Failure */
  readonly openRange: (requested: RequestedRange, signal: AbortSignal) => Promise<UrlResponse>
  /** Claims a part, depending on where the stream is. */
  readonly claim: () => Part | null
  /** Bytes of a part have been written. */
  readonly onWritten: () => void
  readonly effects: Effects
}

export interface ExtraRanges {
  /** Ranges that were fetched to their ends. */
  readonly completed: number
  /**
   * Takes part in it with one more connection, in place of that of the stream, which has ended.
   * @returns once no range is under way; parts may be left that the server did not give
   */
  finish(): Promise<void>
  /** Resolves when nothing is written any more, once all is done or the signal has aborted. */
  settled(): Promise<unknown>
}

/**
 * Fetches parts of a file beside the stream that was opened first. Each connection is a bonus: many servers announce
 * ranges and refuse them, allow one connection, or count the second request against the link. One that is
 * refused is dropped, and costs no try.
 * @param onFault an error of this machine, such as a full disk
 */
export function startExtraRanges(
  request: ExtraRangesRequest,
  signal: AbortSignal,
  onFault: (error: unknown) => void,
): ExtraRanges {
  const { file, version, effects } = request
  const workers: Promise<void>[] = []
  let completed = 0

  function start(): void {
    const worker = work()
    worker.catch(onFault)
    workers.push(worker)
  }

  async function work(): Promise<void> {
    let hasWorked = false
    for (;;) {
      const part = request.claim()
      if (part === null || signal.aborted) return
      try {
        await effects.failpoint('transfer.part_fetched', () => fetchPart(part))
        hasWorked = true
        completed += 1
      } catch (error) {
        if (signal.aborted) return
        if (!isOfServer(error)) throw error
        // A connection that worked before may have reached its number of requests.
        if (!hasWorked) return
        hasWorked = false
      } finally {
        part.state = 'free'
      }
    }
  }

  async function fetchPart(part: Part): Promise<void> {
    const first = part.position
    const body = await request.openRange({ first, last: part.end - 1, of: version }, signal)
    // The stream has come to this part in the meantime.
    if (part.position !== first) {
      body.destroy()
      return
    }
    part.state = 'arriving'
    const target = {
      file,
      position: first,
      end: () => part.end,
      onPiece: () => undefined,
      onWritten() {
        part.position = target.position
        request.onWritten()
      },
    }
    await writeBody(body, target, effects.clock)
    if (target.position < part.end) throw new TransientFetchError('was cut short', null)
  }

  for (let count = 0; count < request.connections; count += 1) start()
  return {
    get completed() {
      return completed
    },
    async finish() {
      start()
      await Promise.all(workers)
    },
    settled: () => Promise.allSettled(workers),
  }
}

function isOfServer(error: unknown): boolean {
  const known = fetchError(error)
  if (known instanceof Failure) return known.status === 'UNREACHABLE_INPUT_FILE'
  return known instanceof TransientFetchError || known instanceof SourceChanged
}
