import { listCommands } from '../../../common/database/commands/command-records.ts'
import { newCommand } from '../../store-contract/fixtures.ts'
import { median, percentile } from '../figure/statistics.ts'
import { addAccount, addCommands, addHistory, tableSizes } from './history.ts'
import type { Database } from '../../../common/database/connection/query.ts'
import type { ExpiredQuery } from '../../../common/store/retention/retention.ts'
import type { Store } from '../../../common/store/store.ts'
import type { Figure } from '../figure/figure.ts'

/** Pages and submissions while, and after, half of a history is deleted. */
export async function halfDeleted(
  { database, store }: { readonly database: Database; readonly store: Store },
  { accountId, rows }: { readonly accountId: string; readonly rows: number },
): Promise<Figure[]> {
  await addHistory(database, { accountId, rows, days: 200 })
  const full = await pageTimes(database, accountId, rows)
  const quiet = await submitTimes(store, accountId, secondsOf(3))
  // As the operator does it: 5,000 rows a minute, in one burst.
  const [paced, first] = await Promise.all([
    submitTimes(store, accountId, secondsOf(30)),
    removeOlder(store, accountId, 100, 2_500),
  ])
  let isDone = false
  const began = performance.now()
  const deleting = removeOlder(store, accountId, 100).finally(() => (isDone = true))
  const beside = await submitTimes(store, accountId, () => isDone)
  const deleted = await deleting
  const seconds = (performance.now() - began) / 1_000
  const quietAgain = await submitTimes(store, accountId, secondsOf(3))
  await database.query('bench_analyze', 'vacuum analyze commands')
  const half = await pageTimes(database, accountId, rows - deleted - first)
  const alone = percentile([...quiet, ...quietAgain], 0.95)
  const besideP95 = percentile(beside, 0.95)
  const pacedP95 = percentile(paced, 0.95)
  return [
    { name: 'retention.rows-deleted', value: deleted / seconds, unit: 'per-second' },
    { name: 'retention.submit.p95.alone', value: alone, unit: 'ms' },
    {
      name: 'retention.submit.p95.beside-5000-a-minute',
      value: pacedP95,
      unit: 'ms' as const,
      ratio: pacedP95 / alone,
      limit: 1.2 * alone,
    },
    {
      name: 'retention.submit.p95.beside-without-pause',
      value: besideP95,
      unit: 'ms' as const,
      ratio: besideP95 / alone,
    },
    ...half.map(({ part, ms }, place): Figure => {
      const before = full[place]?.ms ?? Number.NaN
      const name = `retention.page.offset-${part * 100}%`
      return { name, value: ms, unit: 'ms', ratio: ms / before, limit: 1.5 * before }
    }),
  ]
}

/** Size of the table after ten times its live rows were written and deleted, as a multiple of the first. */
export async function turnover(
  { database, store }: { readonly database: Database; readonly store: Store },
  { accountId, rows }: { readonly accountId: string; readonly rows: number },
): Promise<Figure[]> {
  const { query } = database
  const live = 100
  await addAccount(database, accountId)
  const mbytes = async () => ((await tableSizes(database)).get('commands') ?? 0) / 1_048_576
  let first = Number.NaN
  for (let daysAgo = 11 * live; daysAgo >= 1; daysAgo -= 1) {
    await addCommands(database, { accountId, rows: rows / live, daysAgo })
    await removeOlder(store, accountId, daysAgo + live)
    // Autovacuum does this at a fiftieth of dead rows; here days pass in milliseconds.
    if (daysAgo % 2 === 0) await query('bench_vacuum_commands', 'vacuum commands')
    if (daysAgo === 10 * live) first = await mbytes()
  }
  const after = await mbytes()
  return [
    { name: 'retention.turnover.first', value: first, unit: 'MB' },
    {
      name: 'retention.turnover.after-10',
      value: after,
      unit: 'MB' as const,
      ratio: after / first,
      limit: 1.5 * first,
    },
  ]
}

/** Deletes all records of this age, page by page without a pause. @returns their number */
export async function removeOlder(
  store: Store,
  accountId: string,
  days: number,
  most = Infinity,
): Promise<number> {
  const expired: ExpiredQuery = {
    accountId,
    kind: 'records',
    days,
    limit: 1_000,
    restartAfterSeconds: 0,
  }
  let removed = 0
  for (;;) {
    const page = await store.findExpired(expired)
    removed += await store.removeExpired(expired, page)
    if (page.isLast || removed >= most) return removed
  }
}

async function pageTimes(database: Database, accountId: string, rows: number) {
  const parts = [0, 0.1, 0.5, 0.999]
  const times = parts.map((): number[] => [])
  for (let round = 0; round < 60; round += 1) {
    for (const [place, part] of parts.entries()) {
      const began = performance.now()
      const list = { accountId, status: null, limit: 20, offset: Math.floor(rows * part) }
      await listCommands(database.query, list)
      if (round >= 20) times[place]?.push(performance.now() - began)
    }
  }
  return parts.map((part, place) => ({ part, ms: median(times[place] ?? []) }))
}

/** One submission after the other with 5 ms between them, in ms. */
async function submitTimes(
  store: Store,
  accountId: string,
  isDone: () => boolean,
): Promise<number[]> {
  const times: number[] = []
  while (!isDone()) {
    const began = performance.now()
    await store.insertCommands([newCommand(accountId)])
    times.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return times
}

function secondsOf(seconds: number): () => boolean {
  const until = performance.now() + seconds * 1_000
  return () => performance.now() >= until
}
