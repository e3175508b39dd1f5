import { get } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'

export interface OpenStream {
  readonly response: IncomingMessage
  /** The text so far once it matches; rejects if the stream ends before. */
  readonly until: (pattern: RegExp) => Promise<string>
  /** The whole text once the server has ended it; rejects if it was aborted. */
  readonly end: () => Promise<string>
  /** Disconnects the client. */
  readonly leave: () => void
}

/** A GET whose answer is read as it arrives. */
export async function openStream(url: string, key: string): Promise<OpenStream> {
  const request = get(url, { headers: { 'X-API-KEY': key } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.setEncoding('utf8')
  let text = ''
  let state: 'open' | 'ended' | 'cut off' = 'open'
  const listeners = new Set<() => void>()
  const notify = () => listeners.forEach((listener) => listener())
  response.on('data', (piece: string) => {
    text += piece
    notify()
  })
  response.on('error', () => undefined)
  response.once('close', () => {
    state = response.complete ? 'ended' : 'cut off'
    notify()
  })

  function waitFor(isReached: () => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!isReached() && state === 'open') return
        listeners.delete(check)
        if (isReached()) resolve(text)
        else reject(new Error(`${state} after: ${text}`))
      }
      listeners.add(check)
      check()
    })
  }

  return {
    response,
    until: (pattern) => waitFor(() => pattern.test(text)),
    end: () => waitFor(() => state === 'ended'),
    leave: () => request.destroy(),
  }
}
