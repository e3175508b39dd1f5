import { counter } from '../../common/runtime/metrics.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Registry } from 'prom-client'

/** Counts what a limit of the gateway has refused. */
export interface GatewayLimits {
  readonly refused: (
    limit: 'connections' | 'address' | 'body' | 'bodies' | 'reports' | 'requests',
  ) => void
  /** A connection was closed because its address has as many as it may have. */
  readonly closed: (address: string) => void
}

const silentMs = 60_000

/** Call it once per registry: the gateway and its server share the metric. */
export function measureLimits(
  registry: Registry,
  { clock, logger }: { clock: Clock; logger: Logger },
): GatewayLimits {
  const refusals = counter(
    registry,
    'gateway_limited_total',
    'Refused by a limit: connections in all or of an address, body (413), bodies in flight (503), reports or requests of an attempt (429).',
    ['limit'],
  )
  let loggedMs = -Infinity
  return {
    refused: (limit) => refusals.inc({ limit }),
    closed(address) {
      refusals.inc({ limit: 'address' })
      const nowMs = clock.monotonicMs()
      if (nowMs - loggedMs < silentMs) return
      loggedMs = nowMs
      logger.warn(
        'an address has as many busy connections to the gateway as gateway.connectionsPerAddress allows; raise it if runners share an address',
        { address },
      )
    },
  }
}
