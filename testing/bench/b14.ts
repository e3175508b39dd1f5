import { Registry } from 'prom-client'
import { createPool } from '../../common/database/connection/pool.ts'
import { migrate } from '../../common/database/migration/migrate.ts'
import { createPostgresStore } from '../../common/database/postgres-store.ts'
import { systemClock, systemEffects } from '../../common/runtime/system-effects.ts'
import { startPostgres, stopPostgres } from '../../e2e/cluster/servers/postgres.ts'
import { loadFigure, report } from './figure/figure.ts'
import { halfDeleted, turnover } from './retention/half-deleted.ts'
import { year } from './retention/year.ts'
import type { Database } from '../../common/database/connection/query.ts'
import type { Say } from '../../e2e/cluster/host/progress.ts'
import type { Store } from '../../common/store/store.ts'
import type { Figure } from './figure/figure.ts'

const instance = 'bench-b14'
const effects = systemEffects()

/** What the retention costs and saves, on a PostgreSQL of its own; each part has its own database. */
export async function b14({ short, say }: { short: boolean; say: Say }): Promise<Figure[]> {
  const settings = { fsync: 'on', shared_buffers: '512MB', max_wal_size: '4GB' }
  const postgres = await startPostgres({ instance, hostAddress: '127.0.0.1', settings, say })
  const within = async (
    part: string,
    measure: (on: { database: Database; store: Store; accountId: string }) => Promise<Figure[]>,
  ): Promise<Figure[]> => {
    say(`measuring ${part}`)
    const accountId = effects.newId()
    const connectionString = await postgres.createDatabase(
      `retention_${accountId.replaceAll('-', '')}`,
    )
    const database = createPool({
      connectionString,
      maxConnections: 4,
      applicationName: 'bench',
      statementTimeoutMs: 600_000,
      clock: systemClock,
      registry: new Registry(),
    })
    try {
      await migrate({ connectionString, effects })
      const figures = await measure({ database, store: createPostgresStore(database), accountId })
      say(report(figures))
      return figures
    } finally {
      await database.close()
    }
  }
  try {
    const plan = { recordsDays: 90, originalsDays: 30, logsDays: 30, filesDays: 30 }
    const rowsPerDay = short ? 200 : 2_000
    const before = loadFigure('before')
    return [
      before,
      ...(await within('half', (on) =>
        halfDeleted(on, { ...on, rows: short ? 100_000 : 1_000_000 }),
      )),
      ...(await within('turnover', (on) =>
        turnover(on, { ...on, rows: short ? 20_000 : 100_000 }),
      )),
      ...(await within('a year with the retention', (on) =>
        year(on, { ...on, name: 'free', rowsPerDay, retention: plan }),
      )),
      ...(await within('a year without it', (on) =>
        year(on, { ...on, name: 'kept', rowsPerDay, retention: null }),
      )),
      loadFigure('after'),
    ]
  } finally {
    await stopPostgres({ instance })
  }
}
