import http from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { sleep } from '../../../common/runtime/effects.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import { transferExit } from '../../../common/domain/failures.ts'
import { AttemptEnded } from '../runtime/attempt-ended.ts'
import { backoffMs, retryAfterMs } from '../runtime/backoff.ts'

export interface GatewayAddress {
  /** `http://service.namespace.svc:port` or `http://service:port` */
  readonly url: string
  /** Read before each request: the kubelet replaces the token while a long command runs. */
  readonly readToken: () => Promise<string>
  /**
   * PEM of the authorities behind a https gateway; null = the system's. Read before each request: the
   * kubelet replaces the file while a long command runs.
   */
  readonly readCa: (() => string) | null
}

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  /** How long to retry while the gateway or its database is unavailable; 0 = one try. */
  readonly patienceMs: number
  /** Timeout of one request; 30 s if absent. */
  readonly answerMs?: number
  /** `IP:PORT` of one replica, which is dialled in place of the Service; it shows the certificate of the Service. */
  readonly replica?: string | null
  readonly signal?: AbortSignal
}

export interface Answer {
  readonly status: number
  /** Parsed JSON; null for an empty body. */
  readonly body: unknown
}

export type Ask = (call: Call) => Promise<Answer>

/** The gateway closes further ones of an address. */
const mostConnections = 4
/** Timeout of one request; the gateway holds an answer for at most 5 s. */
const answerMs = 30_000

/**
 * Retries a request until its answer is final.
 * @throws AttemptEnded with exit 41 once the patience is used up
 */
export function gatewayRequests(address: GatewayAddress, effects: Effects): Ask {
  const secure = address.url.startsWith('https:')
  const connections = { keepAlive: true, maxSockets: mostConnections }
  const currentAgent = secure ? secureAgents(address.readCa) : always(new http.Agent(connections))

  return async (call) => {
    const giveUpAt = effects.clock.monotonicMs() + call.patienceMs
    for (let failures = 1; ; failures++) {
      const answer = await send(call).catch((error: unknown) => {
        call.signal?.throwIfAborted()
        return { error, waitMs: null }
      })
      if (!('error' in answer)) return answer
      const waitMs = backoffMs(failures, effects.random(), answer.waitMs)
      if (effects.clock.monotonicMs() + waitMs > giveUpAt) {
        throw new AttemptEnded(
          transferExit.gatewayUnreachable,
          `${call.method} ${call.path}: the gateway could not be reached`,
          { cause: answer.error },
        )
      }
      await sleep(effects.clock, waitMs, call.signal)
    }
  }

  async function send(call: Call): Promise<Answer | { error: Error; waitMs: number | null }> {
    const { status, headers, body } = await exchange(call)
    // 401: the token was renewed between reading and checking, or the keys to check it were
    // unavailable.
    if (status === 401 || status === 408 || status === 429 || status >= 500) {
      return {
        error: new Error(`the gateway answered ${String(status)}`),
        waitMs: retryAfterMs(headers['retry-after'], effects.clock.wall()),
      }
    }
    return { status, body: body === '' ? null : JSON.parse(body) }
  }

  /** New connections trust what the file holds now. Those made before it stay; the gateway closes idle ones. */
  function secureAgents(readCa: GatewayAddress['readCa']): () => https.Agent {
    if (readCa === null) return always(new https.Agent(connections))
    let current = { ca: '', agent: new https.Agent(connections) }
    return () => {
      const ca = readCa()
      if (ca === '') throw new Error('the authority of the gateway is not known yet')
      if (ca !== current.ca) current = { ca, agent: new https.Agent({ ...connections, ca }) }
      return current.agent
    }
  }

  async function exchange(call: Call) {
    const payload = call.body === undefined ? null : Buffer.from(JSON.stringify(call.body))
    const late = new AbortController()
    const cancel = effects.clock.schedule(call.answerMs ?? answerMs, () => {
      late.abort(new Error('the gateway did not answer in time'))
    })
    try {
      const token = await address.readToken()
      const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
      const url = new URL(call.path, address.url)
      const request = (secure ? https : http).request(url, {
        ...replicaOf(call, url),
        method: call.method,
        agent: currentAgent(),
        headers: {
          host: url.host,
          authorization: `Bearer ${token}`,
          ...(payload === null
            ? {}
            : { 'content-type': 'application/json', 'content-length': payload.length }),
        },
        signal: call.signal ? AbortSignal.any([call.signal, late.signal]) : late.signal,
      })
      request.on('response', resolve)
      request.on('error', reject)
      request.end(payload ?? undefined)
      const response = await promise
      const { statusCode = 0, headers } = response
      return { status: statusCode, headers, body: await text(response) }
    } finally {
      cancel()
    }
  }
}

function always<T>(value: T): () => T {
  return () => value
}

/** Replica to dial in place of the host of the URL. */
function replicaOf(
  { replica = null }: Call,
  url: URL,
): http.RequestOptions & { servername?: string } {
  if (replica === null) return {}
  const { hostname, port } = new URL(`http://${replica}`)
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port, servername: url.hostname }
}
