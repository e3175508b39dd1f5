import { createPostgresStore } from './postgres-store.ts'
import { describeStore } from './contract/describe-store.ts'
import { ageDatabase, openTestDatabase } from './test-database.ts'

describeStore('Postgres', async () => {
  const { database, close } = await openTestDatabase()
  return {
    store: createPostgresStore(database),
    age: (seconds) => ageDatabase(database, seconds),
    close,
  }
})
