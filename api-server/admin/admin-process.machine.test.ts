import { expect } from 'chai'
import { useResource } from '../../testing/support/mocha.ts'
import { environmentWith, startMain } from '../main.fixture.ts'
import { planWith } from '../../testing/support/plans.ts'
import { openEmptyDatabase, openTestDatabase } from '../../testing/support/database.ts'

const plans = { free: planWith({}), unlimited: planWith({}) }

const adminOn = (databaseUrl: string, ...args: string[]) =>
  startMain(environmentWith(databaseUrl, plans), ['admin', ...args]).ended

describe('the administration, as a process', () => {
  const database = useResource(openTestDatabase)

  it('runs a command and prints its result as text or as JSON', async () => {
    const { connectionString } = database
    const made = await adminOn(connectionString, 'accounts', 'create', 'acme', '--json')
    expect(made.errors).to.equal('')
    expect(made.code).to.equal(0)
    expect(JSON.parse(made.output)).to.deep.include({ name: 'acme', plan: 'free', keys: 1 })
    const shown = await adminOn(connectionString, 'accounts', 'show', 'acme')
    expect(shown.output)
      .to.match(/^NAME +PLAN +STATE/)
      .and.match(/acme +free +active/)
  })

  it('the process exits with 1 when a command fails, and with 2 when its arguments are wrong', async () => {
    const refused = await adminOn(database.connectionString, 'accounts', 'show', 'absent')
    expect(refused).to.deep.include({ code: 1, output: '' })
    expect(refused.errors).to.match(/^admin: account 'absent' does not exist/)
    const unknown = await adminOn(database.connectionString, 'accounts', 'remove', 'acme')
    expect(unknown).to.deep.include({ code: 2, output: '' })
  })

  it('reports a database that does not answer or has no schema yet', async () => {
    const away = await adminOn('postgres://unused@127.0.0.1:1/none', 'accounts', 'list')
    expect(away.errors).to.match(/^admin: the database is unavailable: .*ECONNREFUSED/)
    expect(away.code).to.equal(1)
    const empty = await openEmptyDatabase()
    const early = await adminOn(empty.connectionString, 'accounts', 'list')
    expect(early.errors).to.match(
      /lacks 0001_accounts.*which this program needs: run the migration/,
    )
    expect(early.code).to.equal(1)
    await empty.close()
  })
})
