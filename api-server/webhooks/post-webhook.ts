import http from 'node:http'
import https from 'node:https'
import type { IncomingMessage } from 'node:http'
import { connectionFault } from '../../common/network/connection-fault.ts'
import { createGuard } from '../../common/network/guard.ts'
import { guardedAgents } from '../../common/network/guarded-agents.ts'
import { excerptBytes, textExcerpt } from './text-excerpt.ts'
import { urlRefusal } from '../../common/network/url-policy.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Resolve } from '../../common/network/guard.ts'
import type { Agents } from '../../common/network/guarded-agents.ts'

/** The result of one attempt. */
export interface PostResult {
  /** The status of the answer was 2xx, in time. */
  readonly ok: boolean
  /** null: there was no answer. */
  readonly responseStatus: number | null
  /** A failure that the status does not express; reveals nothing of the receiver's network. */
  readonly error: string | null
  /** Beginning of the answer's body, as far as it has arrived; null if it is empty or not text. */
  readonly excerpt: string | null
}

/** Never rejects, except by the signal. */
export type PostWebhook = (
  request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  },
  signal: AbortSignal,
) => Promise<PostResult>

export interface PostWebhookDeps {
  readonly network: {
    readonly allowCidrs: string[]
    readonly denyCidrs: string[]
    /** `host:port` of the service's own parts. */
    readonly denyEndpoints: string[]
  }
  /** `host:port` of the Kubernetes API, which no webhook may reach; absent: not known. */
  readonly kubernetesApi?: () => readonly string[]
  /** Resolves receivers' host names. */
  readonly resolve: Resolve
  /** Resolves names of `denyEndpoints`, which may be short names of the cluster. */
  readonly resolveOwn: Resolve
  readonly clock: Clock
}

/** Timeout from the DNS lookup to the head of the answer, and the latest end of its body. */
export const attemptMs = 15_000
/** How long its body is read for the excerpt: it may never end, and its status has been given. */
const answerMs = 2_000
/** Only the beginning of the answer's body is kept, so at most this much of it is read. */
const answerBytes = 65_536
/** TTL of the resolved addresses of `denyEndpoints`. */
const guardMs = 30_000

/**
 * Posts to customers' URLs. Each attempt checks the resolved addresses anew: a name that was public
 * when it was set may resolve to an internal address by now. Redirects are not followed, so the
 * request goes to the URL that was checked.
 */
export function createPostWebhook(deps: PostWebhookDeps): PostWebhook {
  const { clock, network, kubernetesApi } = deps
  const agents = refreshing(clock, () => {
    const denyEndpoints = [...network.denyEndpoints, ...(kubernetesApi?.() ?? [])]
    const guard = createGuard({ ...network, denyEndpoints }, deps.resolve, deps.resolveOwn)
    return guardedAgents({ guard, clock })
  })
  return async ({ url, headers, body }, signal) => {
    const late = new AbortController()
    const cancel = clock.schedule(attemptMs, () => late.abort(new Late()))
    const stop = AbortSignal.any([signal, late.signal])
    try {
      const target = new URL(url)
      const refusal = urlRefusal(target)
      if (refusal !== null) return failed(null, refusal)
      const response = await send(target, headers, body, agents(), stop)
      const excerpt = textExcerpt(await beginningOf(response, clock))
      return { ...judged(response.statusCode ?? 0), excerpt }
    } catch (error) {
      signal.throwIfAborted()
      return failed(null, faultOf(error, late.signal))
    } finally {
      cancel()
    }
  }
}

class Late extends Error {
  override readonly name = 'Late'
}

function judged(status: number): PostResult {
  if (status >= 200 && status < 300)
    return { ok: true, responseStatus: status, error: null, excerpt: null }
  return status >= 300 && status < 400
    ? failed(status, 'redirects, which is not followed')
    : { ok: false, responseStatus: status, error: null, excerpt: null }
}

function failed(responseStatus: number | null, sentence: string): PostResult {
  return { ok: false, responseStatus, error: `The URL ${sentence}`, excerpt: null }
}

function faultOf(error: unknown, late: AbortSignal): string {
  if (late.aborted) return `did not answer within ${attemptMs / 1_000} s`
  return connectionFault(error)?.sentence ?? 'could not be reached'
}

async function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  agents: Agents,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const bytes = Buffer.from(body)
  const options = {
    method: 'POST',
    // No keep-alive: the receiver may close an idle connection while the next event is written.
    headers: { ...headers, 'Content-Length': bytes.length, Connection: 'close' },
    signal,
  }
  const sent =
    url.protocol === 'https:'
      ? https.request(url, { ...options, agent: agents.https })
      : http.request(url, { ...options, agent: agents.http })
  sent.once('response', resolve)
  sent.on('error', reject)
  sent.end(bytes)
  return promise
}

/** Bytes that arrive within `answerMs`; the request's signal ends it as well. Never rejects. */
async function beginningOf(response: IncomingMessage, clock: Clock): Promise<Buffer> {
  let bytes = 0
  const kept: Buffer[] = []
  const cancel = clock.schedule(answerMs, () => response.destroy())
  try {
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) continue
      if (bytes < excerptBytes) kept.push(chunk.subarray(0, excerptBytes - bytes))
      bytes += chunk.length
      // Leaving the loop closes the connection.
      if (bytes > answerBytes) break
    }
  } catch {
    // The connection is gone: the status stands, and so does what has arrived.
  } finally {
    cancel()
  }
  return Buffer.concat(kept)
}

function refreshing(clock: Clock, make: () => Agents): () => Agents {
  let current: { agents: Agents; until: number } | null = null
  return () => {
    const now = clock.monotonicMs()
    if (current === null || now >= current.until) {
      current = { agents: make(), until: now + guardMs }
    }
    return current.agents
  }
}
