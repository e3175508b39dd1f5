import { expect } from 'chai'
import { startPooler } from '../testing/databases/pooler.ts'
import { openEmptyDatabase } from '../testing/support/database.ts'
import { useResource } from '../testing/support/mocha.ts'
import { planWith } from '../testing/support/plans.ts'
import { appliedMigrations } from '../common/database/migration/schema-check.ts'
import { migrationNames } from '../common/database/migration/migration-names.ts'
import { endMains, environmentWith, startMain } from './main.fixture.ts'

describe('the migrate command behind PgBouncer', () => {
  afterEach(endMains)
  const opened = useResource(async () => {
    const direct = await openEmptyDatabase()
    return { ...direct, pooled: await startPooler(direct.connectionString) }
  })
  const database = { pooler: 'transaction' }
  const migrated = (environment: Record<string, string>) =>
    startMain(
      {
        ...environmentWith(opened.pooled, { unlimited: planWith({}) }, { database }),
        ...environment,
      },
      ['migrate'],
    ).ended

  it('migrates by the URL of the server itself, and refuses to do it by that of the pooler', async () => {
    const refused = await migrated({})
    expect(refused.errors).to.match(/needs the URL of the server itself behind a pooler/)
    const { code, output, errors } = await migrated({
      CLOUD_FFMPEG_DATABASE_DIRECT_URL: opened.connectionString,
    })
    expect(errors).to.equal('')
    expect(output).to.match(/0001_accounts/)
    expect(code).to.equal(0)
    expect(await appliedMigrations(opened.database.query)).to.deep.equal(await migrationNames())
  })
})
