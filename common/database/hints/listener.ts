import pg from 'pg'
import { Gauge } from 'prom-client'
import { backoff, halfJitter } from '../../runtime/backoff.ts'
import { sleep } from '../../runtime/effects.ts'
import { loopPart } from '../../runtime/loop.ts'
import { metricsPrefix } from '../../runtime/metrics.ts'
import { currentConnectionString } from '../connection/connection-string.ts'
import type { ConnectionString } from '../connection/connection-string.ts'
import type { Registry } from 'prom-client'
import type { Effects } from '../../runtime/effects.ts'
import type { Part } from '../../runtime/lifecycle.ts'
import type { Logger } from '../../runtime/logger.ts'

/** The channel of all hints; the payload is the hint's name. A channel belongs to one database. */
export const channel = 'cloud_ffmpeg_hints'

export interface HintMetrics {
  /** @param read whether hints arrive now */
  watch(read: () => boolean): void
}

/** Once per registry and listener. */
export function createHintMetrics(registry: Registry): HintMetrics {
  let isListening = (): boolean => false
  const connected: Gauge = new Gauge({
    name: `${metricsPrefix}database_hints_connected`,
    help: 'Whether notifications about work of other processes arrive (0 or 1)',
    registers: [registry],
    collect: () => connected.set(isListening() ? 1 : 0),
  })
  return { watch: (read) => void (isListening = read) }
}

export interface HintListener {
  readonly part: Part
  /** Whether hints arrive now; else polls are the only way to find work. */
  isListening(): boolean
}

interface Connection {
  readonly ended: Promise<void>
  readonly close: () => void
}

const waits = { first: 500, longest: 30_000, jitter: halfJitter }

/**
 * Holds one connection of its own on which the database sends notifications.
 * @param connectionString a direct one: a pooler that shares connections between transactions does not
 *   pass notifications on
 */
export function createHintListener(deps: {
  readonly connectionString: ConnectionString
  readonly applicationName: string
  /** Called per notification with its payload. */
  readonly onHint: (name: string) => void
  /** Called after each connection: what was sent before it is lost. */
  readonly onConnected: () => void
  readonly effects: Effects
  readonly metrics: HintMetrics
  readonly logger: Logger
}): HintListener {
  const { effects, logger } = deps
  let listening = false
  deps.metrics.watch(() => listening)

  async function run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      try {
        const connection = await effects.failpoint('hints.listening', connect)
        failures = 0
        await untilEnd(connection, signal)
      } catch (error) {
        failures += 1
        if (failures === 1 && !signal.aborted) {
          logger.info('LISTEN failed; falling back to polling', { error })
        }
      }
      listening = false
      const waitMs = backoff(waits, Math.max(1, failures), effects.random())
      await sleep(effects.clock, waitMs, signal).catch(() => undefined)
    }
  }

  async function connect(): Promise<Connection> {
    const client = new pg.Client({
      connectionString: currentConnectionString(deps.connectionString),
      application_name: deps.applicationName,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    })
    const ended = new Promise<void>((resolve, reject) => {
      client.on('error', reject)
      client.on('end', resolve)
    })
    // The connection may break before anybody waits for its end.
    ended.catch(() => undefined)
    client.on('notification', ({ payload }) => deps.onHint(payload ?? ''))
    const close = () => void client.end().catch(() => undefined)
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      return { ended, close }
    } catch (error) {
      close()
      throw error
    }
  }

  async function untilEnd({ ended, close }: Connection, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', close, { once: true })
    try {
      listening = true
      deps.onConnected()
      if (signal.aborted) close()
      await ended
    } finally {
      signal.removeEventListener('abort', close)
      close()
    }
  }

  return { part: loopPart('hints', run), isListening: () => listening }
}
