import { createPostgresStore } from './postgres-store.ts'
import { describeStore } from '../../testing/store-contract/describe-store.ts'
import { ageDatabase, openTestDatabase } from '../../testing/support/database.ts'

describeStore('Postgres', async () => {
  const { database, close } = await openTestDatabase()
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
})
