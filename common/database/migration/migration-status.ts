import { contractBlockers } from './contract.ts'
import { lastWhole, migrationFiles } from './migration-files.ts'
import { seenPrograms } from './program-seen.ts'
import { isFinished, levelOf } from './schema-check.ts'
import { readSchema } from './schema-state.ts'
import type { Query } from '../connection/query.ts'
import type { MigrationDeps } from './exclusive.ts'
import type { Migration, Phase } from './migration-files.ts'
import type { SeenProgram } from './program-seen.ts'
import type { SchemaState } from './schema-state.ts'

export interface MigrationStatus {
  /** Level of the program that answers. */
  readonly level: number
  readonly migrations: readonly FileStatus[]
  readonly programs: readonly SeenProgram[]
}

export interface FileStatus {
  readonly version: number
  readonly name: string
  readonly phase: Phase
  readonly oldestProgram: number
  readonly state: 'finished' | 'running' | 'pending'
  readonly stepsDone: number
  readonly steps: number
  /** Why a contract file cannot begin now. */
  readonly blockedBy: readonly string[]
}

/** Locks nothing. */
export async function migrationStatus({
  database: { query },
  files: given,
  release,
}: Pick<MigrationDeps, 'database' | 'files' | 'release'>): Promise<MigrationStatus> {
  const files = given ?? (await migrationFiles())
  const state = await readSchema(query)
  const done = state.recorded ? await stepsDone(query) : new Map<number, number>()
  const migrations: FileStatus[] = []
  for (const file of files) {
    const { version, name, phase, oldest, steps } = file
    const is = stateOf(state, file)
    const wanted = { state, files, file, release }
    migrations.push({
      version,
      name,
      phase,
      oldestProgram: oldest,
      state: is,
      stepsDone: version <= lastWhole ? Number(is === 'finished') : (done.get(version) ?? 0),
      steps: Math.max(1, steps.length),
      blockedBy:
        phase === 'contract' && is === 'pending' && state.recorded
          ? await contractBlockers(query, wanted)
          : [],
    })
  }
  const programs = state.recorded ? await seenPrograms(query) : []
  return { level: levelOf(files), migrations, programs }
}

function stateOf(state: SchemaState, { version }: Migration): FileStatus['state'] {
  if (isFinished(state, version)) return 'finished'
  return state.levels.some((level) => level.version === version) ? 'running' : 'pending'
}

async function stepsDone(query: Query): Promise<Map<number, number>> {
  const rows = await query<{ version: number; done: number }>(
    'migration_steps_done',
    'select version, count(done_at) as done from schema_steps group by version',
  )
  return new Map(rows.map(({ version, done }) => [version, done]))
}
