import { createReadStream } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { PartRefused } from '../upload/part-errors.ts'
import type { IncomingMessage } from 'node:http'
import type { PartProgress, PartRange } from '../upload/upload-parts.ts'

export interface Part extends PartRange {
  readonly file: string
}

/** Idle timeout of a connection. */
const idleMs = 60_000

/**
 * Uploads one range of a file. fetch would send a stream without Content-Length, which object stores
 * refuse.
 * @returns the ETag of the stored part
 */
export async function putPart(
  { url, file, start, length }: Part,
  { signal, onBytes }: PartProgress,
): Promise<string> {
  const request = url.startsWith('https:') ? tlsRequest : plainRequest
  const put = request(url, { method: 'PUT', headers: { 'Content-Length': length }, signal })
  put.setTimeout(idleMs, () => put.destroy(new Error('the object store did not respond')))
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    put.once('response', resolve)
    put.once('error', reject)
  })
  const sent = pipeline(
    createReadStream(file, { start, end: start + length - 1 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        onBytes(chunk.length)
        yield chunk
      }
    },
    put,
    { signal },
  )
  // The object store may refuse before it has read the body: its answer is the reason, not the broken pipe.
  const [response] = await Promise.all([answered, sent.catch(() => answered)])
  const answer = await text(response)
  const status = response.statusCode ?? 0
  const { etag } = response.headers
  if (status !== 200 || etag === undefined) throw new PartRefused(status, answer)
  return etag
}
