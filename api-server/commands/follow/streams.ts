import { beginLife } from './stream-life.ts'
import { planOf } from '../../../common/domain/plans.ts'
import { refusal } from '../../http/errors.ts'
import type { StreamLife } from './stream-life.ts'
import type { StreamMetrics } from '../../server/stream-metrics.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Plans } from '../../../common/domain/plans.ts'
import type { Context } from '../../http/endpoint.ts'

export type StreamKind = 'events' | 'logs'

/** The open streams of this process. */
export interface Streams {
  /** Takes a place, which `release` returns. @throws Refusal 429 or 503 */
  open(kind: StreamKind, caller: Pick<Context, 'key' | 'isStillValid'>): OpenStream
}

export interface OpenStream {
  /**
   * Starts the limits of age and key.
   * @param gone aborts once the client has disconnected
   */
  begin(gone: AbortSignal): Pick<StreamLife, 'signal' | 'why'>
  readonly release: () => void
}

export interface StreamsDeps {
  readonly plans: Plans
  /** Most open streams of this process, of all accounts. */
  readonly maxStreams: number
  readonly effects: Effects
  readonly metrics: StreamMetrics
  /** Aborts when this process wants to end. */
  readonly draining: AbortSignal
}

const eventsMs = 900_000
const logsMs = 3_600_000
const retrySeconds = 5

/**
 * Bounds streams by number and age: each holds a connection and memory, and a new connection moves
 * to another replica and presents its key again.
 */
export function createStreams(deps: StreamsDeps): Streams {
  const { plans, maxStreams, effects, metrics } = deps
  const byAccount = new Map<string, number>()
  let open = 0

  return {
    open(kind, { key: { account }, isStillValid }) {
      const held = byAccount.get(account.accountId) ?? 0
      const limit = planOf(plans, account).streams
      if (limit !== null && held >= limit) {
        metrics.refused('account')
        const full = `${held} of ${limit} streams of plan '${account.plan}' are open at this server`
        throw refused(429, `${full}; close one, or retry in ${retrySeconds} s`)
      }
      if (open >= maxStreams) {
        metrics.refused('server')
        const full = `this server holds ${open} of ${maxStreams}`
        throw refused(503, `${full}; retry in ${retrySeconds} s, or poll the command`)
      }
      byAccount.set(account.accountId, held + 1)
      open += 1
      metrics.opened(kind)
      let end = () => undefined as void
      let isHeld = true
      return {
        begin(gone) {
          const life = beginLife({ ...deps, ageMs: ageOf(kind), gone, isStillValid })
          end = life.close
          return life
        },
        release() {
          if (!isHeld) return
          isHeld = false
          end()
          metrics.closed(kind)
          open -= 1
          const left = (byAccount.get(account.accountId) ?? 1) - 1
          if (left === 0) byAccount.delete(account.accountId)
          else byAccount.set(account.accountId, left)
        },
      }
    },
  }

  /** Events: 15 min ± 20 %, so that streams opened together do not reconnect together. */
  function ageOf(kind: StreamKind): number {
    return kind === 'logs' ? logsMs : eventsMs * (0.8 + 0.4 * effects.random())
  }
}

function refused(status: 429 | 503, why: string) {
  const retry = { 'Retry-After': String(retrySeconds) }
  return refusal(status, `Too many streams: ${why}`, retry, 'too_many_streams')
}

/** The `detail` of a stream that ends since its key is not valid any more. */
export const keyEnded =
  'Invalid authorization key: it was revoked, or its account suspended, while the stream was open'
