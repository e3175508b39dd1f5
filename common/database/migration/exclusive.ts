import { DatabaseUnavailable } from '../../store/health.ts'
import { backoff, halfJitter } from '../../runtime/backoff.ts'
import { sleep } from '../../runtime/effects.ts'
import type { Effects } from '../../runtime/effects.ts'
import type { Database, Query } from '../connection/query.ts'
import type { Migration } from './migration-files.ts'
import type { StatementTimes } from './statement-times.ts'

export interface MigrationDeps {
  /** At least two connections: one holds the lock while the other builds an index. */
  readonly database: Database
  readonly effects: Effects
  /** Version of this release. */
  readonly release: string
  /** Default: the files of this program. */
  readonly files?: readonly Migration[]
  /** Times of this process's statements; a backfill pauses while they are slow. */
  readonly times?: StatementTimes
  readonly signal?: AbortSignal
}

/** Arbitrary constants, which must be the same in every version; the first one is that of 0.2.0. */
export const wholeLock = 6_332_117
const stepLock = 6_332_118

const mostTries = 30
const betweenTries = { first: 250, longest: 4_000, jitter: halfJitter }
const busyWaits = { first: 100, longest: 1_000, jitter: halfJitter }

/**
 * Runs `work` in a transaction that no other process runs at the same time. The lock ends with the
 * transaction, so a crash cannot leave it locked. A process without the lock tries again and
 * again and does not wait in the database: CREATE INDEX CONCURRENTLY waits for the snapshots of all
 * other statements, so it would wait for a statement that waits for it.
 *
 * A lock on a table is waited for 2 s at most, because all later statements on the table wait behind
 * it. There are 30 tries, with pauses in which the statements before it end.
 */
export async function exclusive<T>(
  { database, effects, signal }: MigrationDeps,
  step: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  for (let tries = 1, busy = 1; ;) {
    signal?.throwIfAborted()
    try {
      const result = await database.transaction(async (query) => {
        const [row] = await query<{ locked: boolean }>(
          'migrate_lock',
          `select pg_try_advisory_xact_lock(${stepLock}) as locked`,
        )
        if (row?.locked !== true) return null
        await query('migrate_lock_timeout', `set local lock_timeout = '2s'`)
        return { value: await work(query) }
      })
      if (result !== null) return result.value
      await sleep(effects.clock, backoff(busyWaits, busy, effects.random()), signal)
      busy += 1
    } catch (error) {
      if (!isLockConflict(error)) throw error
      if (tries === mostTries) {
        throw new Error(
          `${step} did not get its lock in ${mostTries} tries of 2 s: end the long transactions on its table (pg_stat_activity), then start the migration again`,
          { cause: error },
        )
      }
      await sleep(effects.clock, backoff(betweenTries, tries, effects.random()), signal)
      tries += 1
    }
  }
}

/** SQLSTATE of a lock timeout and of a deadlock. */
const lockConflicts: readonly unknown[] = ['55P03', '40P01']

function isLockConflict(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailable)) return false
  const { cause } = error
  return cause instanceof Error && 'code' in cause && lockConflicts.includes(cause.code)
}
