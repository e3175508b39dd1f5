import type { Clock } from '../../common/runtime/effects.ts'
import type { ServerResponse } from 'node:http'
import type { Answer } from './errors.ts'

/** Header against buffering of a stream by proxies. */
export const streamHeaders: Readonly<Record<string, string>> = { 'X-Accel-Buffering': 'no' }

/** Deadlines and signals of a stream. */
export interface StreamGuard {
  readonly clock: Clock
  /** A reader took nothing for 30 s and was disconnected. */
  readonly onSlow: () => void
}

/** A reader that takes no byte for this long is disconnected: its text stays in memory meanwhile. */
export const slowReaderMs = 30_000
/** A reader has to take this much within `slowReaderMs`. */
const pieceBytes = 16_384

/**
 * Sends chunks as they arrive, with the client's backpressure. A client that disconnects is not an
 * error: the source's signal aborts, and the source releases its resources. If the source fails, the
 * connection is closed, so that the client does not take the answer for complete.
 */
export async function sendStream(
  response: ServerResponse,
  stream: NonNullable<Answer['stream']>,
  guard: StreamGuard,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  if (response.destroyed) return
  // The client gets the headers before the first chunk.
  response.flushHeaders()
  if (response.req.method === 'HEAD') return void response.end()
  try {
    for await (const chunk of stream(gone.signal)) {
      const bytes = Buffer.from(chunk as Uint8Array)
      for (let start = 0; start < bytes.length; start += pieceBytes) {
        await send(response, bytes.subarray(start, start + pieceBytes), gone.signal, guard)
      }
      if (gone.signal.aborted) return
    }
    response.end()
  } catch (error) {
    if (!gone.signal.aborted) throw error
  }
}

/** Resolves once the kernel has taken the bytes, or the client has disconnected. */
function send(
  response: ServerResponse,
  bytes: Uint8Array,
  gone: AbortSignal,
  { clock, onSlow }: StreamGuard,
): Promise<void> {
  if (gone.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      cancel()
      gone.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.schedule(slowReaderMs, () => {
      onSlow()
      response.destroy()
    })
    gone.addEventListener('abort', done, { once: true })
    response.write(bytes, done)
  })
}
