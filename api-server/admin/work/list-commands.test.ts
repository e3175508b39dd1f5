import { expect } from 'chai'
import { useApp } from '../../../testing/support/api/app.ts'
import { fail } from '../../../testing/support/api/outcomes.ts'
import { administrationOf } from '../admin.fixture.ts'

describe('the list of commands in the administration', () => {
  const app = useApp()
  const { admin, json } = administrationOf(app)

  it('shows the commands of an account by status, the newest first', async () => {
    await app.addAccount('listed', 'pro', 'listed-key')
    const sent = { key: 'listed-key' }
    const ids = [await app.submit({}, sent), await app.submit({}, sent)]
    await fail(app, ids[0] ?? '')
    await app.submit()
    const idsOf = async (...args: string[]) =>
      ((await json('commands', 'list', 'listed', ...args)) as { command_id: string }[]).map(
        ({ command_id }) => command_id,
      )
    expect(await idsOf()).to.deep.equal(ids.toReversed())
    expect(await idsOf('--status', 'cancelled')).to.deep.equal(ids.slice(0, 1))
    expect(await idsOf('--status', 'failed')).to.deep.equal([])
    expect(await idsOf('--limit', '1')).to.deep.equal(ids.slice(1))
    const { output } = await admin('commands', 'list', 'listed')
    expect(output).to.match(
      /^COMMAND +STATUS +SUBMITTED +ERROR\n\S+ +QUEUED +\S+Z \([^)]+\)\n\S+ +FAILED +\S+Z \([^)]+\) +CANCELLED$/,
    )
    expect((await admin('commands', 'list', 'listed', '--status', 'done')).output).to.equal(
      'listed has no such command.',
    )
    expect((await admin('commands', 'list', 'listed', '--status', 'late')).errors).to.contain(
      "--status must be one of queued, running, failed, cancelled, done; got 'late'",
    )
  })
})
