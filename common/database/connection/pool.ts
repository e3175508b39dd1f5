import pg from 'pg'
import type { Clock } from '../../runtime/effects.ts'
import { currentConnectionString } from './connection-string.ts'
import type { ConnectionString } from './connection-string.ts'
import { DatabaseUnavailable } from '../../store/health.ts'
import type { PoolMetrics } from './pool-metrics.ts'
import { Instant } from './values.ts'
import { unavailableOr } from './unavailable.ts'
import type { Database } from './query.ts'

export interface PoolOptions {
  /** `postgres://…`; TLS as libpq's `sslmode`, `sslrootcert`. A function is called for each connection. */
  readonly connectionString: ConnectionString
  readonly maxConnections: number
  /** The connection string is that of a pooler that gives a connection per transaction; default: false. */
  readonly isPooled?: boolean
  readonly applicationName: string
  /**
   * Statement timeout in the server; the client's own timeout is 5 s longer. Behind a pooler it is set in
   * transactions; single statements have that of the role.
   */
  readonly statementTimeoutMs: number
  /** The longest wait for a free or a new connection; default: 5 s. */
  readonly connectionTimeoutMs?: number
  readonly clock: Clock
  readonly metrics: PoolMetrics
  /** Gets the time of each statement, waiting for a connection included. */
  readonly times?: { record(milliseconds: number, statement: string): void }
}

/**
 * Connects on demand, so this call itself never fails. Queries reject with `DatabaseUnavailable`
 * while the database cannot be reached, and with pg's own error otherwise.
 */
export function createPool(options: PoolOptions): Database {
  const { statementTimeoutMs, connectionTimeoutMs = 5_000, isPooled = false } = options
  const timeouts = timeoutsOf(statementTimeoutMs)
  const pool = new pg.Pool({
    Client: clientOf(options.connectionString),
    max: options.maxConnections,
    application_name: options.applicationName,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // Connections of the password before end by themselves, where there is a file that may change.
    ...(typeof options.connectionString === 'string' ? {} : { maxLifetimeSeconds: 600 }),
    // A pooler refuses a connection with parameters that it does not know.
    ...(isPooled ? {} : timeouts),
    // A half-open connection never answers, so the server's timeout does not help.
    query_timeout: statementTimeoutMs + answerMs,
    types,
  })
  // An idle connection that breaks is replaced by the next query; without a listener it would end
  // the process.
  pool.on('error', () => undefined)
  const measured = measure(pool, options)
  const begin = (limits: Partial<typeof timeouts>): string =>
    ['begin', ...Object.entries(limits).map(setLocal)].join('; ')

  return {
    query: (name, text, values) => measured(pool, name, text, values),
    async transaction(work, limits) {
      const statementMs = limits?.statementMs
      const local = isPooled ? timeouts : {}
      const longer = statementMs === undefined ? {} : { statement_timeout: statementMs }
      const client = await pool.connect().catch((error: unknown) => {
        throw unavailableOr(error)
      })
      // A connection that breaks between two statements must not end the process either.
      const ignore = () => undefined
      client.on('error', ignore)
      try {
        await measured(client, 'begin', begin({ ...local, ...longer }))
        const result = await work((name, text, values) =>
          measured(client, name, text, values, statementMs),
        )
        await measured(client, 'commit', 'commit')
        client.off('error', ignore)
        client.release()
        return result
      } catch (error) {
        client.off('error', ignore)
        // Closing the connection rolls back, also when a ROLLBACK could not be sent.
        client.release(true)
        throw error
      }
    },
    close: () => pool.end(),
  }
}

/** The pool makes each client by itself, from the options that it was made with. */
function clientOf(connectionString: ConnectionString): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      const more = typeof config === 'object' ? config : {}
      super({ ...more, connectionString: currentConnectionString(connectionString) })
    }
  }
}

/** Timeout in ms of the way of an answer that the server's own timeout cannot end. */
const answerMs = 5_000

function timeoutsOf(statementMs: number) {
  return {
    statement_timeout: statementMs,
    // An open transaction prevents VACUUM from removing dead rows, which makes the queue's scans slow.
    idle_in_transaction_session_timeout: statementMs,
  }
}

function setLocal([name, milliseconds]: readonly [string, number]): string {
  return `set local ${name} = ${milliseconds}`
}

function measure(pool: pg.Pool, { clock, metrics, times, isPooled }: PoolOptions) {
  metrics.watch(() => pool.waitingCount)
  return async <Row extends pg.QueryResultRow>(
    client: pg.Pool | pg.PoolClient,
    name: string,
    text: string,
    values: readonly unknown[] = [],
    statementMs?: number,
  ): Promise<Row[]> => {
    const began = clock.monotonicMs()
    let isUp = true
    try {
      // The next transaction of a pooled connection runs in a session that has not prepared it.
      const prepared = values.length > 0 && isPooled !== true ? { name } : {}
      const patience = statementMs === undefined ? {} : { query_timeout: statementMs + answerMs }
      const query = { text, values: [...values], ...prepared, ...patience }
      const result = await client.query<Row>(query)
      return result.rows
    } catch (error) {
      const known = unavailableOr(error)
      isUp = !(known instanceof DatabaseUnavailable)
      throw known
    } finally {
      const milliseconds = clock.monotonicMs() - began
      metrics.ended(name, milliseconds / 1_000, isUp)
      times?.record(milliseconds, name)
    }
  }
}

const { INT8, TIMESTAMPTZ } = pg.types.builtins
const dateFrom = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => unknown

/** The library's own parsers are typed as returning anything. */
const types: pg.CustomTypesConfig = {
  getTypeParser(id, format): unknown {
    // Sizes and versions stay far below 2^53, so `bigint` is read as a number, not as text.
    if (id === INT8) return Number
    return id === TIMESTAMPTZ ? instantFrom : pg.types.getTypeParser(id, format)
  },
}

/** pg parses `infinity` as a number, which is returned unchanged. */
function instantFrom(text: string): unknown {
  const time = dateFrom(text)
  return time instanceof Date ? new Instant(time, text) : time
}
