import { ApiError, apiErrorFrom, NoAnswerError, UnexpectedAnswer } from './errors.ts'
import { retryWaitMs } from './retry-wait.ts'
import { sleep } from '../../common/runtime/effects.ts'
import type { Clock, Effects } from '../../common/runtime/effects.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /**
   * Idempotency-Key of a POST: the service acts once per key, for any number of requests. Each call
   * generates its own key; pass one to repeat a call that an earlier process began.
   */
  readonly idempotencyKey?: string
  /** Opt-in parameters of a call that has a body; calls without one take theirs as an argument. */
  readonly query?: Readonly<Record<string, string | number | boolean>>
}

export interface Sending extends CallOptions {
  readonly method: string
  /** Path with query. */
  readonly path: string
  readonly body?: unknown
}

/** @param read reads the answer; if the connection breaks meanwhile, the request is retried */
export type Send = <T>(sending: Sending, read: (response: Response) => Promise<T>) => Promise<T>

/** A transient error, and the time until the next attempt. */
export interface Retry {
  readonly error: ApiError | NoAnswerError
  readonly waitMs: number
}

interface Deps {
  /** Base address of the service, without `/v1`. */
  readonly url: string
  readonly apiKey: string | null
  readonly fetch: typeof fetch
  readonly effects: Pick<Effects, 'clock' | 'random' | 'newId'>
  readonly onIgnoredParameters: ((names: readonly string[]) => void) | null
  readonly onRetry: ((retry: Retry) => void) | null
}

/** Timeout of the headers of an answer. */
const answerMs = 60_000

/** Sends a request and retries transient errors. Rejects with `ApiError` or `NoAnswerError`. */
export function createSend({ url, apiKey, effects, ...deps }: Deps): Send {
  const base = url.replace(/\/+$/, '')

  async function attempt<T>(
    init: RequestInit,
    sending: Sending,
    read: (response: Response) => Promise<T>,
  ) {
    const target = `${base}${sending.path}`
    try {
      const response = await fetchInTime(deps.fetch, target, init, sending.signal, effects.clock)
      noteIgnored(response)
      if (!response.ok) return { ok: false as const, error: await apiErrorFrom(response) }
      return { ok: true as const, value: await read(response) }
    } catch (error) {
      sending.signal?.throwIfAborted()
      if (error instanceof UnexpectedAnswer) throw error
      return { ok: false as const, error: new NoAnswerError(target, error) }
    }
  }

  function noteIgnored({ headers }: Response): void {
    const names = headers.get('x-ignored-parameters')
    if (names !== null) deps.onIgnoredParameters?.(names.split(', '))
  }

  return async (sending, read) => {
    const headers = headersFor(sending, apiKey, () => effects.newId())
    const { method, body } = sending
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    let silent = false
    for (let count = 1; ; count++) {
      const done = await attempt(init, sending, read)
      if (done.ok) return done.value
      const { error } = done
      const status = error instanceof ApiError ? error.status : null
      // An earlier DELETE had its effect and its answer was lost, so the deletion has succeeded.
      if (silent && method === 'DELETE' && status === 404) {
        return read(new Response(null, { status: 204 }))
      }
      silent ||= status === null
      const waitMs = retryWaitMs({
        attempt: count,
        status,
        retryAfterSeconds: error instanceof ApiError ? error.retryAfterSeconds : null,
        repeatable: isRepeatable(sending, headers),
        random: effects.random(),
      })
      if (waitMs === null) throw error
      deps.onRetry?.({ error, waitMs })
      await sleep(effects.clock, waitMs, sending.signal)
    }
  }
}

function headersFor(
  { method, body, idempotencyKey }: Sending,
  apiKey: string | null,
  newId: () => string,
): Record<string, string> {
  return {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(apiKey === null ? {} : { 'X-API-KEY': apiKey }),
    // Calls without an API key do not have this header.
    ...(method === 'POST' && apiKey !== null
      ? { 'Idempotency-Key': idempotencyKey ?? newId() }
      : {}),
  }
}

/** A PUT that rotates the secret is not idempotent. */
function isRepeatable({ method, body }: Sending, headers: Record<string, string>): boolean {
  if (method === 'POST') return 'Idempotency-Key' in headers
  return !(typeof body === 'object' && body !== null && 'rotate_secret' in body)
}

async function fetchInTime(
  send: typeof fetch,
  target: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
  clock: Clock,
): Promise<Response> {
  const late = new AbortController()
  const cancel = clock.schedule(answerMs, () => late.abort(new Error('timed out')))
  try {
    const signals = signal === undefined ? [late.signal] : [late.signal, signal]
    return await send(target, { ...init, signal: AbortSignal.any(signals) })
  } finally {
    cancel()
  }
}

/** Reason why a text is not the base address of a service; null if it is one. */
export function addressProblem(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) {
    if (!/\/v1\/*$/.test(url.pathname)) return null
    const base = text.trim().replace(/\/+v1\/*$/, '')
    return `'${text}' ends in /v1, which each call adds itself: drop /v1 and write ${base}`
  }
  return `'${text}' is not the address of a service: write ${exampleFor(text)}`
}

/** `localhost:8080` parses as a URL of the scheme `localhost`. */
function exampleFor(text: string): string {
  const guess = `http://${text}`
  const isHost = /^[\w.-]+(?::\d+)?(?:\/\S*)?$/.test(text) && URL.canParse(guess)
  return isHost
    ? `${guess}, or https in place of http`
    : 'https://HOST or http://HOST:PORT, with a port of 1 to 65535'
}
