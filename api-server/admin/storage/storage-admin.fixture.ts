import { randomBytes } from 'node:crypto'
import { createBucketCors } from '../../../common/storage/bucket/bucket-cors.ts'
import { createBucketSetUp } from '../../../common/storage/bucket/bucket-set-up.ts'
import { createPostgresStore } from '../../../common/database/postgres-store.ts'
import { testPool } from '../../../testing/support/database.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { runAdmin } from '../run-admin.ts'
import type { ObjectStoreOptions } from '../../../common/storage/object-store.ts'

/** Runs `admin storage …` on a bucket; these commands work without a database. */
export function useStorageAdmin() {
  const nowhere = testPool('postgres://postgres@127.0.0.1:1/none')
  after(() => nowhere.close())
  return async (options: ObjectStoreOptions, ...args: string[]) => {
    let output = ''
    let errors = ''
    const deps = {
      store: createPostgresStore(nowhere),
      plans: {},
      defaultPlan: 'free',
      randomBytes,
      newId: () => 'unused',
      host: 'unused',
      effects: systemEffects(),
      readMigrations: () => Promise.reject(new Error('no command here reads migrations')),
      rehearse: () => Promise.reject(new Error('no command here needs the database')),
      report: () => undefined,
      process: {
        version: 'test',
        settings: {},
        environment: {},
        readMetrics: () => Promise.resolve(null),
      },
      openObjects: () => Promise.reject(new Error('no command here reads objects')),
      openStorage: async () => ({
        bucket: options.bucket,
        cors: createBucketCors(options),
        setUp: createBucketSetUp(options),
        publicBaseUrl: `${options.endpoint}/${options.bucket}`,
        fetch,
      }),
    }
    const code = await runAdmin(['storage', ...args], deps, {
      print: (text) => (output += text),
      complain: (text) => (errors += text),
    })
    return { code, output, errors }
  }
}
