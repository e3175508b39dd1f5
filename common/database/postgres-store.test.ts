import { neededSchema } from './migration/schema-check.ts'
import { describeStore } from '../../testing/store-contract/describe-store.ts'
import { contractStore, openTestDatabase } from '../../testing/support/database.ts'
import type { OpenStore } from '../../testing/store-contract/fixtures.ts'

describeStore('Postgres', () => openStore(Infinity))

// While a migration is under way, programs serve on a schema that has only this.
describeStore('Postgres with the schema that a program needs', () => openStore(neededSchema))

async function openStore(upTo: number): Promise<OpenStore> {
  const { database, close } = await openTestDatabase(upTo)
  return { ...contractStore(database), close }
}
