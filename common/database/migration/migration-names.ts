import { readdir } from 'node:fs/promises'
import path from 'node:path'

export const migrationsFolder = path.join(import.meta.dirname, '../migrations')

/** The library keeps a row for each file that was applied in it. */
export const migrationsTable = 'applied_migrations'

/** Names of this program's files, without their extension, in their order. */
export async function migrationNames(): Promise<string[]> {
  const names = await readdir(migrationsFolder)
  return names.map((name) => path.basename(name, '.sql')).toSorted()
}
