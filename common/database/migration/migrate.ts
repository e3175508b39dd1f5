import { exclusive, wholeLock } from './exclusive.ts'
import { lastWhole, migrationFiles } from './migration-files.ts'
import { runStep } from './run-step.ts'
import { isFinished, levelOf, refuseNewer, versionOf } from './schema-check.ts'
import { createRecord, readSchema } from './schema-state.ts'
import type { MigrationDeps } from './exclusive.ts'
import type { Migration } from './migration-files.ts'

/**
 * Applies the expand and backfill files that the database lacks, while other processes serve on it.
 * Each step is recorded, so a later call resumes after a crash, and several processes can migrate at
 * once. Contract files run by `contract` alone.
 * @param upTo the newest file to apply; default: all
 * @returns the newest finished file before and after
 * @throws NewerSchema if the schema excludes this program, which must not write to it then
 */
export async function migrate(
  deps: MigrationDeps,
  upTo = Infinity,
): Promise<{ from: number; to: number }> {
  const files = deps.files ?? (await migrationFiles())
  const from = await applyWhole(deps, files)
  for (const file of files) {
    if (file.version <= lastWhole || file.version > upTo || file.phase === 'contract') continue
    await applyFile(deps, file)
  }
  return { from, to: versionOf(await readSchema(deps.database.query)) }
}

/**
 * The first files run in one transaction: a crash leaves the old schema, and the second of two
 * concurrent migrations waits and finds nothing to do.
 * @returns the version before
 */
async function applyWhole(
  { database }: MigrationDeps,
  files: readonly Migration[],
): Promise<number> {
  return database.transaction(async (query) => {
    await query('migrate_whole_lock', `select pg_advisory_xact_lock(${wholeLock})`)
    const before = await readSchema(query)
    refuseNewer(before, { level: levelOf(files) })
    await createRecord(query)
    for (const { version, text } of files) {
      if (version <= before.whole || version > lastWhole) continue
      await query('migrate', text)
      await query('migrate_done', 'insert into schema_migrations (version) values ($1)', [version])
    }
    return versionOf(before)
  })
}

async function applyFile(deps: MigrationDeps, file: Migration): Promise<void> {
  if (isFinished(await readSchema(deps.database.query), file.version)) return
  await deps.effects.failpoint('migration.begun', () =>
    exclusive(deps, `migration ${file.version}`, async (query) => {
      await query(
        'migrate_begin',
        `insert into schema_levels (version, oldest_program, release) values ($1, $2, $3)
         on conflict do nothing`,
        [file.version, file.oldest, deps.release],
      )
    }),
  )
  await runSteps(deps, file)
}

/** The steps of a file that has begun, then its end. */
export async function runSteps(deps: MigrationDeps, file: Migration): Promise<void> {
  const { failpoint } = deps.effects
  for (const step of file.steps) {
    await failpoint('migration.step_done', () => runStep(deps, file, step))
  }
  await failpoint('migration.finished', async () => {
    await deps.database.query(
      'migrate_finish',
      `update schema_levels set finished_at = now() where version = $1 and finished_at is null`,
      [file.version],
    )
  })
}
