import { createPostgresStore } from './postgres-store.ts'
import { neededSchema } from './migration/schema-check.ts'
import { describeStore } from '../../testing/store-contract/describe-store.ts'
import { ageDatabase, openTestDatabase } from '../../testing/support/database.ts'
import type { OpenStore } from '../../testing/store-contract/session.ts'

describeStore('Postgres', () => openStore(Infinity))

// While a migration is under way, programs serve on a schema that has only this.
describeStore('Postgres with the schema that a program needs', () => openStore(neededSchema))

async function openStore(upTo: number): Promise<OpenStore> {
  const { database, close } = await openTestDatabase(upTo)
  return {
    store: createPostgresStore(database),
    age: (seconds) => ageDatabase(database, seconds),
    changeFile: async (fileId, change) => {
      const sql =
        change === 'deleted'
          ? `update files set deleted_at = now() where file_id = $1`
          : `update files set status = 'UPLOADED', key = 'uploads/' || file_id, size_bytes = 77
             where file_id = $1`
      await database.query(`change_file_${change}`, sql, [fileId])
    },
    close,
  }
}
