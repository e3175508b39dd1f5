import { describeStore } from '../../testing/store-contract/describe-store.ts'
import { contractStore, openTestDatabase } from '../../testing/support/database.ts'

describeStore('Postgres', async () => {
  const { database, close } = await openTestDatabase()
  return { ...contractStore(database), close }
})
