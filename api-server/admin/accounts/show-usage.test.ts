import { expect } from 'chai'
import { useApp } from '../../../testing/support/api/app.ts'
import { fail, succeed } from '../../../testing/support/api/outcomes.ts'
import { administrationOf } from '../admin.fixture.ts'

describe('the usage of accounts', () => {
  const app = useApp()
  const { admin, json } = administrationOf(app)

  it('counts commands by their end, and bytes, the same before and after they are added up', async () => {
    await succeed(app, await app.submit())
    await fail(app, await app.submit())
    await app.addAccount('idle', 'free', 'idle-key')
    const expected = {
      account: app.account.name,
      plan: 'pro',
      succeeded: 1,
      failed: 0,
      cancelled: 1,
      processing_bytes: 3 * 1_048_576,
      stored_bytes_now: 1_048_576,
    }
    const before = await json('usage')
    expect(before).to.have.length(2)
    expect([before].flat()[0]).to.deep.include(expected)
    while ((await app.store.foldUsage(100)) > 0);
    expect(await json('usage')).to.deep.equal(before)
    expect(await json('usage', '--account', 'idle')).to.have.length(1)
  })

  it('the usage of another month is empty, but for what is stored now', async () => {
    const [first] = [await json('usage', '--month', '2024-02')].flat()
    expect(first).to.deep.include({
      month: '2024-02',
      succeeded: 0,
      cancelled: 0,
      vcpu_seconds: 0,
      processing_bytes: 0,
      stored_bytes_now: 1_048_576,
    })
  })

  it('usage is a table for people and lines of values for a bill', async () => {
    expect((await admin('usage')).output)
      .to.match(/^MONTH +ACCOUNT +ACCOUNT ID +PLAN +SUCCEEDED .* PROCESSING MB +STORED MB NOW$/m)
      .and.match(/ 3 +1$/m)
    const [header, ...lines] = (await admin('usage', '--csv')).output.split('\n')
    expect(header).to.match(
      /^month,account,account_id,plan,succeeded,failed,cancelled,vcpu_seconds,/,
    )
    expect(lines).to.have.length(2)
    expect(lines[0]?.split(',')).to.have.length(header?.split(',').length ?? 0)
    expect((await admin('usage', '--month', '2026-13')).errors).to.match(/--month must be YYYY-MM/)
  })
})
