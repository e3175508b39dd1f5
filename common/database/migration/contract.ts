import { exclusive } from './exclusive.ts'
import { lastWhole, migrationFiles } from './migration-files.ts'
import { runSteps } from './migrate.ts'
import { seenPrograms } from './program-seen.ts'
import { isFinished, levelOf, refuseNewer } from './schema-check.ts'
import { readSchema } from './schema-state.ts'
import type { Query } from '../connection/query.ts'
import type { MigrationDeps } from './exclusive.ts'
import type { Migration } from './migration-files.ts'
import type { SchemaState } from './schema-state.ts'

const quietSeconds = 3_600

/** What must be true before a contract migration may begin, and is not. */
export class ContractBlocked extends Error {
  constructor(version: number, reasons: readonly string[]) {
    super(`contract migration ${version} must wait: ${reasons.join('; ')}`)
    this.name = 'ContractBlocked'
  }
}

/**
 * Applies the contract files that the database lacks, oldest first.
 * @returns their versions
 * @throws ContractBlocked if an older program may still run or be rolled back to
 */
export async function contract(deps: MigrationDeps): Promise<number[]> {
  const files = deps.files ?? (await migrationFiles())
  const applied: number[] = []
  for (const file of files.filter(({ phase }) => phase === 'contract')) {
    const state = await readSchema(deps.database.query)
    refuseNewer(state, { level: levelOf(files) })
    if (!state.recorded)
      throw new ContractBlocked(file.version, ['the database is not migrated yet'])
    if (isFinished(state, file.version)) continue
    await deps.effects.failpoint('migration.begun', () => begin(deps, files, file))
    await runSteps(deps, file)
    applied.push(file.version)
  }
  return applied
}

/**
 * Excludes older programs and then looks for them, under a lock that holds their announcements up: a
 * program that announces itself after that reads the exclusion when it checks the schema.
 */
async function begin(
  deps: MigrationDeps,
  files: readonly Migration[],
  file: Migration,
): Promise<void> {
  await exclusive(deps, `migration ${file.version}`, async (query) => {
    await query('migrate_hold_programs', 'lock table program_seen in share mode')
    const state = await readSchema(query)
    if (state.levels.some(({ version }) => version === file.version)) return
    const reasons = await contractBlockers(query, { state, files, file, release: deps.release })
    if (reasons.length > 0) throw new ContractBlocked(file.version, reasons)
    await query(
      'migrate_begin_contract',
      'insert into schema_levels (version, oldest_program, release) values ($1, $2, $3)',
      [file.version, file.oldest, deps.release],
    )
  })
}

/** Why a contract file cannot begin now; empty if it can. */
export async function contractBlockers(
  query: Query,
  wanted: {
    readonly state: SchemaState
    readonly files: readonly Migration[]
    readonly file: Migration
    readonly release: string
  },
): Promise<string[]> {
  const { state, files, file, release } = wanted
  const earlier = files.filter(({ version }) => version < file.version)
  const unfinished = earlier.filter(({ version }) => !isFinished(state, version))
  const older = (await seenPrograms(query)).filter(
    ({ level, seenSeconds }) => level < file.oldest && seenSeconds < quietSeconds,
  )
  return [
    ...unfinished.map(({ version }) => `migration ${version} is not finished`),
    ...tooYoung(state, file, release),
    ...older.map(
      ({ instance, level, seenSeconds }) =>
        `${instance} has level ${level} and was seen ${Math.round(seenSeconds)} s ago: wait until an hour after its end`,
    ),
  ]
}

/**
 * The release that brought the needed level can still be rolled back by one version. And for an hour
 * after that level nothing has been learnt of older programs.
 */
function tooYoung(state: SchemaState, { oldest }: Migration, release: string): string[] {
  if (oldest <= lastWhole) return []
  const needed = state.levels.find(({ version }) => version === oldest)
  if (needed?.finishedSeconds === undefined || needed.finishedSeconds === null) return []
  if (needed.release === release) {
    return [`release ${release} brought level ${oldest}, and a later release may contract it`]
  }
  if (needed.finishedSeconds >= quietSeconds) return []
  return [`level ${oldest} is younger than an hour`]
}
