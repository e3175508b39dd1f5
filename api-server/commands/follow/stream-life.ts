import type { StreamMetrics } from '../../server/stream-metrics.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Context } from '../../http/endpoint.ts'

/** Why a stream ended before its command did. */
type StreamEnd = 'gone' | 'draining' | 'age' | 'key'

export interface StreamLife {
  /** Aborts at the end. */
  readonly signal: AbortSignal
  readonly why: () => StreamEnd | null
  readonly close: () => void
}

interface StreamLifeDeps extends Pick<Context, 'isStillValid'> {
  readonly ageMs: number
  /** Aborts once the client has disconnected. */
  readonly gone: AbortSignal
  /** Aborts when this process wants to end. */
  readonly draining: AbortSignal
  readonly effects: Pick<Effects, 'clock'>
  readonly metrics: Pick<StreamMetrics, 'ended'>
}

const checkKeyEveryMs = 30_000

/** Ends a stream when its client, its process, its key or its time is over. */
export function beginLife(deps: StreamLifeDeps): StreamLife {
  const { gone, draining, metrics } = deps
  const { clock } = deps.effects
  const ended = new AbortController()
  let why: StreamEnd | null = null
  const endsAt = clock.monotonicMs() + deps.ageMs
  const onGone = () => end('gone')
  const onDraining = () => end('draining')
  gone.addEventListener('abort', onGone, { once: true })
  draining.addEventListener('abort', onDraining, { once: true })
  let cancel = schedule()
  if (draining.aborted) end('draining')
  return { signal: ended.signal, why: () => why, close: () => end('gone') }

  function schedule(): () => void {
    const leftMs = Math.max(0, endsAt - clock.monotonicMs())
    return clock.schedule(Math.min(checkKeyEveryMs, leftMs), () => void check())
  }

  async function check(): Promise<void> {
    if (clock.monotonicMs() >= endsAt) return end('age')
    // An unavailable database says nothing about the key.
    const isValid = await deps.isStillValid().catch(() => true)
    if (!isValid) end('key')
    if (why === null) cancel = schedule()
  }

  function end(reason: StreamEnd): void {
    if (why !== null) return
    why = reason
    cancel()
    gone.removeEventListener('abort', onGone)
    draining.removeEventListener('abort', onDraining)
    if (reason === 'age' || reason === 'key') metrics.ended(reason)
    ended.abort()
  }
}
