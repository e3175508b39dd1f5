import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { planWith } from '../../testing/support/plans.ts'
import { runAdmin } from './run-admin.ts'
import { contract } from '../../common/database/migration/contract.ts'
import { migrationStatus } from '../../common/database/migration/migration-status.ts'
import { systemEffects, uuidV7 } from '../../common/runtime/system-effects.ts'
import type { TestApp } from '../app.fixture.ts'

/** `pro` is the plan of accounts of the tests; here it was lowered since. */
export const adminPlans = {
  free: planWith({}),
  unlimited: planWith({}),
  pro: planWith({ vcpuPerCommand: 2, maxRunSeconds: 60, processingMbytes: 1_000 }),
}

export interface Administration {
  readonly admin: (...args: string[]) => Promise<{ code: number; output: string; errors: string }>
  /** With `--json`; fails unless the exit code is 0. */
  readonly json: (...args: string[]) => Promise<unknown>
}

/** The commands of the administration on the database of a test's API server. */
export function administrationOf(app: TestApp): Administration {
  const admin: Administration['admin'] = async (...args) => {
    let output = ''
    let errors = ''
    const { database } = app.database
    const deps = {
      ...{ store: app.store, plans: adminPlans, defaultPlan: 'free', randomBytes },
      newId: () => uuidV7(0, randomBytes(10)),
      effects: systemEffects(),
      host: 'api-server-0',
      migrations: {
        status: () => migrationStatus({ database, release: 'test' }),
        contract: () => contract({ database, effects: systemEffects(), release: 'test' }),
      },
      openStorage: () => Promise.reject(new Error('no command here needs the storage')),
    }
    const code = await runAdmin(args, deps, {
      print: (text) => (output += text),
      complain: (text) => (errors += text),
    })
    return { code, output, errors }
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
