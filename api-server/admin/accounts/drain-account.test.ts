import { expect } from 'chai'
import { useApp } from '../../../testing/support/api/app.ts'
import { until } from '../../../testing/support/until.ts'
import { fail } from '../../../testing/support/api/outcomes.ts'
import { administrationOf } from '../admin.fixture.ts'

describe('the drain of an account', () => {
  const app = useApp()
  const { admin, json } = administrationOf(app)

  it('suspends it and waits until what it has submitted has ended', async () => {
    const { name } = app.account
    const [first, second] = [await app.submit(), await app.submit()]
    expect(await json('drain', 'account', name, '--dry-run')).to.deep.include({ unfinished: 2 })
    const drained = json('drain', 'account', name)
    await until(async () => (await app.store.listAccounts(name))[0]?.suspended)
    await Promise.all([fail(app, first), fail(app, second)])
    expect(await drained).to.deep.include({ suspended: true, unfinished: 0 })
    expect((await admin('accounts', 'show', name)).output).to.match(/ suspended /)
  })

  it('the drain fails after its timeout and names what is left', async () => {
    await app.addAccount('busy', 'pro', 'busy-key')
    await app.submit({}, { key: 'busy-key' })
    const { code, output } = await admin('drain', 'account', 'busy', '--timeout', '1s')
    expect(output).to.match(
      /busy is suspended; 1 of its commands and files have not ended\. 'queue/,
    )
    expect(code).to.equal(1)
    expect((await admin('drain', 'account', 'busy', '--timeout', '1')).errors).to.match(/--timeout/)
  })
})
