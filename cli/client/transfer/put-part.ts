import { createReadStream } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { IncomingMessage } from 'node:http'

export interface Part {
  /** Presigned. */
  readonly url: string
  readonly file: string
  /** First byte of the part in the file. */
  readonly start: number
  readonly length: number
}

/** The object store refused the part. */
export class PartRefused extends Error {
  readonly status: number

  constructor(status: number, answer: string) {
    const code = /<Code>([^<]+)<\/Code>/.exec(answer)?.[1]
    super(`storage answered ${status}${code === undefined ? '' : ` ${code}`} to a part`)
    this.name = 'PartRefused'
    this.status = status
  }
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
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (count: number) => void },
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
