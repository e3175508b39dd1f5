import { DatabaseUnavailable } from '../../store/health.ts'
import { lastWhole, migrationFiles } from './migration-files.ts'
import { readSchema } from './schema-state.ts'
import type { Query } from '../connection/query.ts'
import type { Migration } from './migration-files.ts'
import type { SchemaState } from './schema-state.ts'

/**
 * The newest file whose tables and columns the statements of this program use. A program serves as
 * soon as the expand and backfill files up to this one are finished; later files are applied beside
 * its requests. The whole contract of the store is tested on exactly this schema. Raise it in the
 * change whose statements use more.
 */
export const neededSchema = 41

/** A program, as far as the schema is concerned. */
export interface ProgramLevel {
  /** Version of its newest migration file. */
  readonly level: number
  readonly needs: number
  readonly files: readonly Migration[]
}

export async function ownLevel(): Promise<ProgramLevel> {
  const files = await migrationFiles()
  return { files, level: levelOf(files), needs: neededSchema }
}

export function levelOf(files: readonly Migration[]): number {
  return files.at(-1)?.version ?? 0
}

/** The database excludes this program: a newer one has removed what this one uses. */
export class NewerSchema extends Error {
  constructor(oldest: number, own: number) {
    super(
      `the schema of the database needs a program of level ${oldest} or newer, this program has level ${own}: start the newer version, or restore a backup from before its contract migration`,
    )
    this.name = 'NewerSchema'
  }
}

/**
 * Locks nothing.
 * @throws NewerSchema if the schema excludes this program
 * @throws DatabaseUnavailable if the schema lacks what this program needs
 */
export async function checkSchema(query: Query, program: ProgramLevel): Promise<void> {
  const state = await readSchema(query)
  refuseNewer(state, program)
  const missing = missingFor(state, program)
  if (missing === undefined) return
  throw new DatabaseUnavailable(
    new Error(
      `schema version ${versionOf(state)}, this program needs ${program.needs}: run the migration`,
    ),
  )
}

/** @throws NewerSchema */
export function refuseNewer(state: SchemaState, { level }: { readonly level: number }): void {
  const oldest = Math.max(state.whole, ...state.levels.map((each) => each.oldestProgram))
  if (oldest > level) throw new NewerSchema(oldest, level)
}

/** The first file that the program needs and that is not finished. */
function missingFor(state: SchemaState, { files, needs }: ProgramLevel): Migration | undefined {
  return files
    .filter(({ version, phase }) => version <= needs && phase !== 'contract')
    .find(({ version }) => !isFinished(state, version))
}

export function isFinished(state: SchemaState, version: number): boolean {
  if (version <= lastWhole) return version <= state.whole
  return state.levels.some((level) => level.version === version && level.finished)
}

/** The newest finished file. */
export function versionOf(state: SchemaState): number {
  return Math.max(
    state.whole,
    ...state.levels.filter(({ finished }) => finished).map(({ version }) => version),
  )
}
