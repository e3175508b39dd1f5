import { BoundedMap } from '../../common/bounded/bounded-map.ts'
import type { Registry } from 'prom-client'
import { counter } from '../../common/runtime/metrics.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'
import { clientNetwork } from '../../common/network/client-network.ts'
import { refusal } from '../http/errors.ts'

/** Result of a request with an unknown key; `lookup`: it cost a statement. */
type UnknownKey = 'malformed' | 'cached' | 'lookup' | 'refused'

export interface UnknownKeyMetrics {
  unknown(how: UnknownKey): void
}

export function createUnknownKeyMetrics(registry: Registry): UnknownKeyMetrics {
  const requests = counter(
    registry,
    'unknown_keys_total',
    'Requests with an unknown key: malformed, cached, lookup (in the database) or refused (429).',
    ['how'],
  )
  return { unknown: (how) => requests.inc({ how }) }
}

export interface UnknownKeys {
  /** Whether this key was unknown within the last minute. */
  has(id: string): boolean
  remember(id: string): void
  /**
   * Runs a lookup and counts it where it finds nothing. A key that is found passes, also beside the
   * wrong keys of others at its address, who are many behind a NAT or a load balancer.
   * @throws Refusal 429 for a key that is not found, once the client has no misses left
   */
  counted<Found>(client: () => string, lookup: () => Promise<Found | null>): Promise<Found | null>
}

/** This replica's view of one client. */
interface Client {
  /** Instant on the monotonic clock at which the bucket is full again. */
  fullAt: number
}

const maxKnown = 10_000
const rememberMs = 60_000
export const missesPerMinute = 20
const tokenMs = 60_000 / missesPerMinute

/**
 * Tells a client that guesses keys to stop. A guess costs one indexed read. The bucket of misses is a row
 * that all replicas share; each replica also keeps its own copy, so that a refusal costs nothing more.
 */
export function createUnknownKeys(deps: {
  readonly store: Pick<Store, 'takeClientToken'>
  readonly clock: Clock
  readonly metrics: UnknownKeyMetrics
}): UnknownKeys {
  const { store, clock, metrics } = deps
  const keys = new BoundedMap<string, number>(maxKnown)
  const clients = new BoundedMap<string, Client>(maxKnown)

  return {
    has(id) {
      if (clock.monotonicMs() >= (keys.get(id) ?? 0)) return false
      metrics.unknown('cached')
      return true
    },
    remember(id) {
      keys.delete(id)
      keys.set(id, clock.monotonicMs() + rememberMs)
    },
    async counted(client, lookup) {
      const found = await lookup()
      if (found !== null) return found
      const network = clientNetwork(client())
      const bucket = clientOf(network)
      if (left(bucket) < 1) throw refused(bucket)
      await miss(network, bucket)
      return null
    },
  }

  async function miss(network: string, client: Client): Promise<void> {
    metrics.unknown('lookup')
    client.fullAt = Math.max(client.fullAt, clock.monotonicMs()) + tokenMs
    const rate = { client: network, call: 'unknown-key', size: missesPerMinute, fillSeconds: 60 }
    // Best-effort: this replica has counted the miss itself.
    const wait = await store.takeClientToken(rate).catch(() => null)
    // Other replicas have used up the bucket.
    if (wait !== null) {
      const emptyUntil = clock.monotonicMs() + wait * 1_000 + 60_000 - tokenMs
      client.fullAt = Math.max(client.fullAt, emptyUntil)
    }
  }

  function left({ fullAt }: Client): number {
    const now = clock.monotonicMs()
    return Math.floor((60_000 - Math.max(0, fullAt - now)) / tokenMs)
  }

  function refused({ fullAt }: Client) {
    metrics.unknown('refused')
    const waitMs = fullAt + tokenMs - 60_000 - clock.monotonicMs()
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
    return refusal(
      429,
      `Too many unknown keys from this address: ${missesPerMinute} a minute; check the key in the X-API-KEY header and retry in ${seconds} s`,
      { 'Retry-After': String(seconds) },
    )
  }

  function clientOf(network: string): Client {
    const found = clients.get(network)
    if (found !== undefined) return found
    const added = { fullAt: 0 }
    clients.set(network, added)
    return added
  }
}
