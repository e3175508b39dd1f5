import { expect } from 'chai'
import { useApp } from '../../../testing/support/api/app.ts'
import { administrationOf } from '../admin.fixture.ts'

describe('the administration of plans', () => {
  const { admin, json } = administrationOf(useApp())

  it('shows the figures and features of each plan', async () => {
    const { code, output } = await admin('plans')
    expect(code).to.equal(0)
    expect(output)
      .to.match(/^FIGURE +free +unlimited +pro$/m)
      .and.match(/^vcpuPerCommand +\d+ +\d+ +2$/m)
      .and.match(/^retention.logsDays +none +none +none$/m)
      .and.match(/^webhooks +(?:yes|no) +(?:yes|no) +(?:yes|no)$/m)
    expect(await json('plans')).to.have.all.keys('free', 'unlimited', 'pro')
  })

  it('prints the verbs of a group when it stands alone', async () => {
    const { code, output, errors } = await admin('accounts')
    expect([code, errors]).to.deep.equal([0, ''])
    expect(output).to.match(/^ {2}accounts create NAME/m)
    expect(output).not.to.match(/^ {2}keys create/m)
    expect((await admin('accounts', 'burn')).errors).to.match(
      /^admin: unknown command 'accounts burn'/,
    )
    expect((await admin('burn')).code).to.equal(2)
  })
})
