import { createClient } from './client.ts'
import type { Client } from './client.ts'
import type { Retry } from './send.ts'

export interface Sent {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly headers: Headers
}

export interface Scripted {
  readonly client: Client
  readonly sent: Sent[]
  /** Milliseconds of each wait between two attempts. */
  readonly waits: number[]
  readonly retries: Retry[]
}

/** A client whose service answers from a list, and whose clock does not wait. */
export function scriptedClient(
  answers: (() => Response | Promise<Response>)[],
  apiKey: string | null = 'key',
): Scripted {
  const sent: Sent[] = []
  const waits: number[] = []
  const retries: Retry[] = []
  const clock = {
    monotonicMs: () => 0,
    wall: () => new Date(0),
    schedule(delayMs: number, callback: () => void) {
      // Only timeouts are this long; they do not expire here.
      if (delayMs >= 60_000) return () => undefined
      waits.push(delayMs)
      const timer = setImmediate(callback)
      return () => clearImmediate(timer)
    },
  }
  let ids = 0
  const client = createClient({
    url: 'http://service.example/',
    ...(apiKey === null ? {} : { apiKey }),
    onRetry: (retry) => retries.push(retry),
    effects: { clock, random: () => 1, newId: () => `id-${(ids += 1)}` },
    async fetch(input, init) {
      const { pathname, search } = new URL(String(input instanceof Request ? input.url : input))
      const { method = 'GET', body, headers } = init ?? {}
      sent.push({
        method,
        path: pathname + search,
        body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined,
        headers: new Headers(headers),
      })
      const answer = answers.shift()
      if (answer === undefined) throw new Error('the script is at its end')
      return answer()
    },
  })
  return { client, sent, waits, retries }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return () =>
    new Response(status === 204 ? null : JSON.stringify(body), {
      status,
      headers: { 'Content-Type': 'application/json', ...headers },
    })
}

/** Fails like fetch when nothing listens. */
export function silence(): Promise<Response> {
  return Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }))
}
