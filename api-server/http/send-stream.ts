import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasCode } from '../../common/runtime/error-code.ts'
import type { Response } from 'express'
import type { Answer } from './errors.ts'

/** Headers against buffering and compression of a stream by proxies. */
export const streamHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * Sends chunks as they arrive, with the client's backpressure. A client that disconnects is not an
 * error: the source's signal aborts, and the source releases its resources. If the source fails, the
 * connection is closed, so that the client does not take the answer for complete.
 */
export async function sendStream(
  response: Response,
  stream: NonNullable<Answer['stream']>,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  if (response.destroyed) return
  // The client gets the headers before the first chunk.
  response.flushHeaders()
  if (response.req.method === 'HEAD') return void response.end()
  try {
    await pipeline(Readable.from(stream(gone.signal)), response)
  } catch (error) {
    if (!gone.signal.aborted || !isCutOff(error)) throw error
  }
}

function isCutOff(error: unknown): boolean {
  return hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')
}
