import { PartRefused } from '../../cli/client/upload/part-errors.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { PartProgress, PartRange } from '../../cli/client/upload/upload-parts.ts'

/** The connection broke, or the browser refused to send the part: it does not say which. */
export class PartNotSent extends Error {
  constructor() {
    super('The connection to the storage broke')
    this.name = 'PartNotSent'
  }
}

/** The storage took the part, and does not let this page read its ETag. */
export class EtagHidden extends Error {
  constructor() {
    super('The storage hides the ETag of a part from this page')
    this.name = 'EtagHidden'
  }
}

/** Idle timeout of a connection. */
const idleMs = 60_000

/** Sends a part by XMLHttpRequest, since fetch does not tell how much it has sent. @returns the ETag */
export function putPart(
  file: Blob,
  { url, start, length }: PartRange,
  { signal, onBytes }: PartProgress,
  schedule: Clock['schedule'],
  request = new XMLHttpRequest(),
): Promise<string> {
  return new Promise((resolve, reject) => {
    const stop = () => request.abort()
    let cancelIdle = schedule(idleMs, stop)
    let sent = 0
    const count = (loaded: number) => {
      onBytes(loaded - sent)
      sent = loaded
      cancelIdle()
      cancelIdle = schedule(idleMs, stop)
    }
    request.open('PUT', url)
    request.upload.addEventListener('progress', ({ loaded }) => count(Math.min(loaded, length)))
    request.addEventListener('load', () => {
      if (request.status !== 200)
        return reject(new PartRefused(request.status, request.responseText))
      const etag = request.getResponseHeader('etag')
      if (etag === null) return reject(new EtagHidden())
      count(length)
      resolve(etag)
    })
    request.addEventListener('error', () => reject(new PartNotSent()))
    request.addEventListener('abort', () => reject(new PartNotSent()))
    request.addEventListener('loadend', () => {
      cancelIdle()
      signal.removeEventListener('abort', stop)
    })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) return reject(new PartNotSent())
    // Without a type: a header that the URL does not sign needs a rule of CORS of its own.
    request.send(file.slice(start, start + length, ''))
  })
}
