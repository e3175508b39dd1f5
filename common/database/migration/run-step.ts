import { sleep } from '../../runtime/effects.ts'
import { buildConcurrently, isConcurrent } from './concurrent-index.ts'
import { exclusive } from './exclusive.ts'
import type { MigrationDeps } from './exclusive.ts'
import type { Query } from '../connection/query.ts'
import type { Migration, Step } from './migration-files.ts'

const batchRows = 1_000
const slowMs = 50
const slowWaitMs = 1_000

/** Runs a step once, even if several processes call it at once: the record decides. */
export async function runStep(deps: MigrationDeps, file: Migration, step: Step): Promise<void> {
  const name = `step ${step.name} of migration ${file.version}`
  if (file.phase === 'backfill') return backfill(deps, file, step, name)
  const { failpoint } = deps.effects
  await exclusive(deps, name, async (query) => {
    if ((await readStep(query, file, step)).done) return
    if (isConcurrent(step.sql)) {
      // On another connection, because it cannot run in a transaction; this one holds the lock
      // meanwhile, without a snapshot that the index would wait for.
      await failpoint('migration.index_built', () => buildConcurrently(deps, step.sql))
    } else {
      await query('migrate', step.sql)
    }
    await recordStep(query, file, step, { cursor: null, done: true })
  })
}

/** Each batch is a transaction with its cursor. Two processes take turns. */
async function backfill(
  deps: MigrationDeps,
  file: Migration,
  step: Step,
  name: string,
): Promise<void> {
  for (let done = false; !done;) {
    await whileSlow(deps)
    done = await deps.effects.failpoint('migration.batch_done', () =>
      exclusive(deps, name, async (query) => {
        const before = await readStep(query, file, step)
        if (before.done) return true
        const [row] = await query<{ cursor: string | null }>(
          `migrate_${file.version}_${step.name}`,
          step.sql,
          [before.cursor, batchRows],
        )
        const cursor = row?.cursor ?? null
        await recordStep(query, file, step, { cursor, done: cursor === null })
        return cursor === null
      }),
    )
  }
}

/** Batches compete with the statements of requests, which come first. */
async function whileSlow({ database, effects, times, signal }: MigrationDeps): Promise<void> {
  if (times === undefined) return
  for (;;) {
    // The migrate command has no other statement to measure.
    const began = effects.clock.monotonicMs()
    await database.query('migrate_probe', 'select version from schema_levels limit 1')
    times.record(effects.clock.monotonicMs() - began)
    if (times.p95() <= slowMs) return
    await sleep(effects.clock, slowWaitMs, signal)
  }
}

interface StepRecord {
  readonly cursor: string | null
  readonly done: boolean
}

/**
 * Reads all records: a statement with parameters leaves its portal open in the transaction, and an index
 * would wait endlessly for the snapshot of the portal.
 */
async function readStep(query: Query, file: Migration, step: Step): Promise<StepRecord> {
  const rows = await query<StepRecord & { version: number; step: string }>(
    'migrate_read_steps',
    'select version, step, cursor, done_at is not null as done from schema_steps',
  )
  const found = rows.find((row) => row.version === file.version && row.step === step.name)
  return found ?? { cursor: null, done: false }
}

async function recordStep(
  query: Query,
  { version }: Migration,
  { name }: Step,
  { cursor, done }: StepRecord,
): Promise<void> {
  await query(
    'migrate_record_step',
    `insert into schema_steps (version, step, cursor, done_at)
     values ($1, $2, $3, case when $4 then now() end)
     on conflict (version, step) do update set cursor = excluded.cursor, done_at = excluded.done_at`,
    [version, name, cursor, done],
  )
}
