import { backoff, fullJitter } from '../runtime/backoff.ts'
import { sleep } from '../runtime/effects.ts'
import { deadline } from './deadline.ts'
import { readJson } from './json-body.ts'
import { KubeError, kubeErrorFrom, lostReply } from './kube-error.ts'
import { createRetryBudget } from './retry-budget.ts'
import { createRequestThrottle } from './throttle/request-throttle.ts'
import type { Clock } from '../runtime/effects.ts'
import type { Deadline } from './deadline.ts'
import type { KubeMetrics } from './kube-metrics.ts'
import type { RequestLane } from './throttle/lane-order.ts'
import type { RequestThrottle } from './throttle/request-throttle.ts'
import type { KubeRequest, KubeResponse, KubeTransport } from './transport.ts'

/**
 * The one place through which all calls to the Kubernetes API go: deadlines, our own rate limit,
 * classes of errors, retries, metrics.
 */
export interface KubeClient {
  /**
   * One call whose answer is JSON.
   * @throws KubeError, or the reason of the caller's own signal
   */
  call(call: KubeCall): Promise<unknown>
  /**
   * Opens a stream; only its opening has a deadline, and it is never retried here. The signal of the
   * call ends it. Network errors reject the iteration.
   * @throws KubeError, or the reason of the caller's own signal
   */
  open(call: KubeCall & { signal: AbortSignal }): Promise<AsyncIterable<Uint8Array>>
}

export interface KubeCall extends Omit<KubeRequest, 'signal'> {
  readonly verb: 'create' | 'get' | 'list' | 'watch' | 'patch' | 'delete'
  readonly kind: string
  readonly signal?: AbortSignal
  readonly deadlineMs?: number
  /** Whether a repeat is harmless, so that throttled and transient failures are tried again. */
  readonly retry: boolean
  /** `start` if it is absent: what names no lane is what nothing starts without. */
  readonly lane?: RequestLane
  /** The caller has taken a turn of the throttle for the first try. */
  readonly hasTurn?: boolean
}

export interface KubeLimits {
  readonly deadlineMs: number
  readonly attempts: number
  readonly backoffMs: number
  readonly maxBackoffMs: number
}

const defaultLimits: KubeLimits = {
  deadlineMs: 10_000,
  attempts: 4,
  backoffMs: 200,
  maxBackoffMs: 5_000,
}

export interface KubeClientDeps {
  readonly transport: KubeTransport
  readonly clock: Clock
  random(): number
  readonly metrics: KubeMetrics
  readonly limits?: Partial<KubeLimits>
  /** The default is one of its own with 100 requests a second. */
  readonly throttle?: RequestThrottle
}

/** Election gets a client of its own: a burst of other calls must not delay a renewal. */
export function createKubeClient(deps: KubeClientDeps): KubeClient {
  const { transport, clock, metrics } = deps
  const limits = { ...defaultLimits, ...deps.limits }
  const { throttle = createRequestThrottle({ clock, waited: metrics.waited }) } = deps
  const budget = createRetryBudget()
  const never = new AbortController().signal
  return { call: callWithRetries, open: openStream }

  async function callWithRetries(call: KubeCall): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await callOnce(attempt === 1 ? call : { ...call, hasTurn: false })
        budget.succeeded()
        return answer
      } catch (error) {
        const delayMs = retryDelayMs(error, call, { attempt, limits, random: () => deps.random() })
        if (delayMs === null || !budget.take()) throw error
        await sleep(clock, delayMs, call.signal)
      }
    }
  }

  async function callOnce(call: KubeCall): Promise<unknown> {
    const limit = await startDeadline(call)
    try {
      return await exchange(call, limit, readJson)
    } finally {
      limit.release()
    }
  }

  async function openStream(call: KubeCall): Promise<AsyncIterable<Uint8Array>> {
    const limit = await startDeadline(call)
    try {
      const body = await exchange(call, limit, (stream) => Promise.resolve(stream))
      limit.stopClock()
      return body
    } catch (error) {
      limit.release()
      throw error
    }
  }

  async function startDeadline(call: KubeCall): Promise<Deadline> {
    const outer = call.signal ?? never
    outer.throwIfAborted()
    if (call.hasTurn !== true) await throttle.take(call.lane ?? 'start', outer)
    return deadline(clock, call.deadlineMs ?? limits.deadlineMs, outer)
  }

  async function exchange<T>(
    call: KubeCall,
    limit: Deadline,
    read: (body: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T> {
    const sentMs = clock.monotonicMs()
    let code = 'lost'
    try {
      const response = await limit.race(transport(requestOf(call, limit.signal)))
      if (response.status < 200 || response.status > 299) {
        const refusal = await limit.race(readRefusal(call, response))
        code = String(response.status)
        if (response.status === 429) throttle.refused()
        throw refusal
      }
      const result = await limit.race(read(response.body))
      code = String(response.status)
      return result
    } catch (error) {
      if (error instanceof KubeError) throw error
      call.signal?.throwIfAborted()
      throw lostReply(nameOf(call), error)
    } finally {
      const seconds = (clock.monotonicMs() - sentMs) / 1000
      metrics.answered({ verb: call.verb, kind: call.kind, code, seconds })
    }
  }
}

/** @returns null for a call that is not tried again */
function retryDelayMs(
  error: unknown,
  call: KubeCall,
  { attempt, limits, random }: { attempt: number; limits: KubeLimits; random: () => number },
): number | null {
  if (!call.retry || attempt >= limits.attempts || !(error instanceof KubeError)) return null
  if (error.errorClass !== 'throttled' && error.errorClass !== 'transient') return null
  const waits = { first: limits.backoffMs, longest: limits.maxBackoffMs, jitter: fullJitter }
  const jitteredMs = backoff(waits, attempt, random())
  // A long Retry-After is left to the caller's own queue: waiting here would hold its worker.
  if (error.retryAfterMs === null) return jitteredMs
  return error.retryAfterMs > limits.maxBackoffMs ? null : error.retryAfterMs + jitteredMs
}

function requestOf(call: KubeCall, signal: AbortSignal): KubeRequest {
  const { method, path, query, body, contentType, accept } = call
  return {
    method,
    path,
    signal,
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(accept === undefined ? {} : { accept }),
  }
}

async function readRefusal(call: KubeCall, response: KubeResponse): Promise<KubeError> {
  const seconds = response.retryAfterSeconds
  return kubeErrorFrom(nameOf(call), {
    status: response.status,
    retryAfterMs: seconds === null ? null : seconds * 1000,
    body: await readJson(response.body).catch(() => null),
  })
}

function nameOf(call: KubeCall): string {
  return `${call.verb} ${call.kind}`
}
