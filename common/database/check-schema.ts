import { DatabaseUnavailable } from '../store/health.ts'
import { requiredVersion, schemaVersion } from './migrate.ts'
import type { Query } from './query.ts'

/** Locks nothing. A database that still waits for its migration counts as unavailable. */
export async function checkSchema(query: Query): Promise<void> {
  const required = await requiredVersion()
  const found = await schemaVersion(query)
  if (found < required) {
    throw new DatabaseUnavailable(
      new Error(`schema version ${found}, this program needs ${required}: run the migration`),
    )
  }
}
