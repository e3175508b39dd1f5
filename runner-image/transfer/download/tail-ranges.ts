import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Effects } from '../../../common/effects.ts'
import type { AskedRange, Version } from './answer.ts'
import type { Tries } from './tries.ts'
import { TransientFetchError } from './fetch-error.ts'
import { writeBody } from './write-body.ts'

export const rangeBytes = 16 * 1024 * 1024
export const parallelAboveBytes = 64 * 1024 * 1024
const connections = 4

export interface TailRanges {
  /** Where the tail begins so far: the stream from the head may stop there. */
  start(): number
  readonly done: Promise<void>
}

export interface RangeSource {
  /** @throws TransientFetchError, Failure */
  openRange(asked: AskedRange, signal: AbortSignal): Promise<IncomingMessage>
}

/**
 * Fetches a file from its end towards its head, in ranges on connections of their own, while the
 * stream that was opened first goes on from the head until both meet. So a small file costs no
 * request that finds out whether ranges work, and no byte is fetched twice. Origins that limit a
 * connection gave 30.6 MB in 4.74 s on one, 1.08 s on four and 0.44 s on eight.
 * @param head offset that the stream from the head has reached
 */
export function fetchTailRanges(
  file: FileHandle,
  version: Version & { totalBytes: number },
  head: () => number,
  source: RangeSource,
  tries: Tries,
  effects: Effects,
  signal: AbortSignal,
): TailRanges {
  let start = version.totalBytes

  /** The head keeps one range for itself, so a claim never overtakes it. */
  function claim(): { first: number; last: number } | null {
    if (start - head() < 2 * rangeBytes) return null
    const last = start - 1
    start -= rangeBytes
    return { first: start, last }
  }

  async function work(): Promise<void> {
    for (let range = claim(); range !== null; range = claim()) {
      await fetchRange(range.first, range.last)
    }
  }

  async function fetchRange(first: number, last: number): Promise<void> {
    const target = { file, position: first, end: () => last + 1, onPiece: () => undefined }
    for (;;) {
      try {
        await effects.failpoint('transfer.part_fetched', async () => {
          if (target.position > last) return
          const asked = { first: target.position, last, of: version }
          await writeBody(await source.openRange(asked, signal), target, effects.clock)
          if (target.position <= last) throw new TransientFetchError('was cut short', null)
        })
        return
      } catch (error) {
        await tries.afterError(error)
      }
    }
  }

  const done = Promise.all(Array.from({ length: connections }, work)).then(() => undefined)
  // The stream from the head can fail first and leave nobody who waits for this.
  done.catch(() => undefined)
  return { start: () => start, done }
}
