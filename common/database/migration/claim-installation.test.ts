import { expect } from 'chai'
import { openEmptyDatabase, openTestDatabase } from '../../../testing/support/database.ts'
import { rejectionOf, useResource } from '../../../testing/support/mocha.ts'
import { DatabaseUnavailable } from '../../store/health.ts'
import { claimInstallation, OtherInstallation } from './claim-installation.ts'

describe('claimInstallation', () => {
  const opened = useResource(() => openTestDatabase())
  const claim = (name: string) => claimInstallation(opened.database.query, name)
  beforeEach(() => opened.database.query('clear', 'delete from installation'))

  it('takes a database that has no installation, and keeps it', async () => {
    await claim('media/one')
    await claim('media/one')
    const rows = await opened.database.query('read', 'select name from installation')
    expect(rows).to.deep.equal([{ name: 'media/one' }])
  })

  it('makes another installation wait while the one that has the database is alive', async () => {
    await claim('media/one')
    const error = await rejectionOf(claim('other/two'))
    expect(error).to.be.instanceOf(DatabaseUnavailable)
    expect(error).to.have.property('cause').that.is.instanceOf(OtherInstallation)
    expect(String((error as Error).cause)).to.match(/'media\/one'.*'other\/two'.*its own/)
    await claim('media/one')
  })

  it('gives the database to another installation after 5 minutes of silence', async () => {
    await claim('media/one')
    await opened.database.query(
      'age',
      `update installation set seen_at = now() - interval '301 seconds'`,
    )
    await claim('other/two')
    expect(await rejectionOf(claim('media/one'))).to.be.instanceOf(DatabaseUnavailable)
  })

  it('gives the database to one of two that begin at once', async () => {
    const all = await Promise.allSettled(['a/a', 'b/b', 'c/c'].map(claim))
    expect(all.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
  })

  it('claimInstallation does nothing before the migration', async () => {
    const early = await openEmptyDatabase()
    await claimInstallation(early.database.query, 'media/one')
    await early.close()
  })
})
