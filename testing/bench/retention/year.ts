import { addAccount, addDay, tableSizes } from './history.ts'
import type { Database } from '../../../common/database/connection/query.ts'
import type { Retention } from '../../../common/domain/plans.ts'
import type { RetentionKind } from '../../../common/store/retention/retention.ts'
import type { Store } from '../../../common/store/store.ts'
import type { Figure } from '../figure/figure.ts'

const days = 365

/**
 * Sizes of the tables after a year of so many commands a day, with the retention of a plan or none.
 * A day of the past is written as of its own time, and the retention of that day counts from it.
 */
export async function year(
  { database, store }: { readonly database: Database; readonly store: Store },
  how: {
    readonly name: string
    readonly accountId: string
    readonly rowsPerDay: number
    readonly retention: Retention | null
  },
): Promise<Figure[]> {
  const { name, accountId, rowsPerDay, retention } = how
  const { query } = database
  await addAccount(database, accountId)
  const figures: Figure[] = []
  for (let daysAgo = days; daysAgo >= 1; daysAgo -= 1) {
    await addDay(database, { accountId, rows: rowsPerDay, daysAgo })
    if (retention !== null) await retain(database, store, { accountId, daysAgo, retention })
    // Autovacuum does this within its minutes; here a day takes less than one.
    if (daysAgo % 7 === 0) await query('bench_year_vacuum', 'vacuum')
    const month = days - daysAgo
    if (month === 180 || daysAgo === 1) {
      const sizes = [...(await tableSizes(database)).values()]
      const total = sizes.reduce((sum, bytes) => sum + bytes, 0) / 1_048_576
      figures.push({ name: `retention.year.${name}.day-${month}`, value: total, unit: 'MB' })
    }
  }
  for (const [table, bytes] of await tableSizes(database)) {
    figures.push({ name: `retention.year.${name}.${table}`, value: bytes / 1_048_576, unit: 'MB' })
  }
  return figures
}

async function retain(
  { query }: Database,
  store: Store,
  of: { readonly accountId: string; readonly daysAgo: number; readonly retention: Retention },
): Promise<void> {
  const { accountId, daysAgo, retention } = of
  const { filesDays, logsDays, originalsDays, recordsDays } = retention
  if (filesDays !== null) {
    // What the expiry of files and the sweep of their objects leave behind.
    await query(
      'bench_year_files',
      `update files set deleted_at = now(), swept_at = now()
       where account_id = $1 and deleted_at is null and created_at < now() - make_interval(days => $2)`,
      [accountId, daysAgo + filesDays],
    )
  }
  const walks: [RetentionKind, number | null][] = [
    ['logs', logsDays],
    ['originals', originalsDays],
    ['records', recordsDays],
  ]
  for (const [kind, kept] of walks) {
    if (kept === null) continue
    const expired = { accountId, kind, days: daysAgo + kept, limit: 1_000, restartAfterSeconds: 0 }
    for (let isLast = false; !isLast;) {
      const page = await store.findExpired(expired)
      await store.removeExpired(expired, page)
      ;({ isLast } = page)
    }
  }
  await store.expireDeliveries({ days: daysAgo + 30, limit: 100_000 })
}
