import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { planWith } from '../../testing/support/plans.ts'
import { runAdmin } from './run-admin.ts'
import { createPostgresStore } from '../../common/database/postgres-store.ts'
import { rehearse } from '../../common/database/connection/rehearse.ts'
import { appliedMigrations } from '../../common/database/migration/schema-check.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { uuidV7 } from '../../common/ids/uuid-v7.ts'
import { createObjectStore } from '../../common/storage/create-object-store.ts'
import type { ObjectStoreOptions } from '../../common/storage/object-store.ts'
import type { Store } from '../../common/store/store.ts'
import type { TestApp } from '../../testing/support/api/app.ts'

/** `pro` is the plan of accounts of the tests; here it was lowered since. */
export const adminPlans = {
  free: planWith({}),
  unlimited: planWith({}),
  pro: planWith({ vcpuPerCommand: 2, maxRunSeconds: 60, processingMbytes: 1_000 }),
}

export interface AdminRun {
  readonly code: number
  readonly output: string
  readonly errors: string
  /** Progress lines shown while it ran. */
  readonly reports: string
}

export interface Administration {
  readonly admin: (...args: string[]) => Promise<AdminRun>
  /** With `--json`; fails unless the exit code is 0. */
  readonly json: (...args: string[]) => Promise<unknown>
}

/** The commands of the administration on the database of a test's API server. */
export function administrationOf(
  app: TestApp,
  bucket: ObjectStoreOptions | null = null,
): Administration {
  const admin: Administration['admin'] = async (...args) => {
    let output = ''
    let errors = ''
    let reports = ''
    const { database } = app.database
    const deps = {
      rehearse: <T>(work: (store: Store) => Promise<T>) =>
        rehearse(database, (within) => work(createPostgresStore(within))),
      report: (text: string) => (reports += text),
      store: app.store,
      plans: adminPlans,
      defaultPlan: 'free',
      randomBytes,
      newId: () => uuidV7(0, randomBytes(10)),
      effects: systemEffects(),
      host: 'api-server-0',
      process: {
        version: 'test',
        settings: { plans: {} },
        environment: { CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: 'private', HOME: '/private' },
        readMetrics: () => Promise.resolve('cloudffmpeg_up 1'),
      },
      readMigrations: () => appliedMigrations(database.query),
      openStorage: () => Promise.reject(new Error('no command here needs the storage')),
      openObjects: async () => {
        if (bucket === null) throw new Error('no command here needs the storage')
        return { bucket: bucket.bucket, objects: createObjectStore(bucket) }
      },
    }
    const code = await runAdmin(args, deps, {
      print: (text) => (output += text),
      complain: (text) => (errors += text),
    })
    return { code, output, errors, reports }
  }
  return {
    admin,
    async json(...args) {
      const { code, output, errors } = await admin(...args, '--json')
      expect(errors).to.equal('')
      expect(code).to.equal(0)
      return JSON.parse(output) as unknown
    },
  }
}
