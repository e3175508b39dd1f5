import { expect } from 'chai'
import { useApp } from '../../../testing/support/api/app.ts'
import { field } from '../../checked-call.fixture.ts'
import { withoutReport } from '../../../testing/support/api/outcomes.ts'
import { administrationOf } from '../admin.fixture.ts'

describe('a support bundle', () => {
  const app = useApp()
  const { admin, json } = administrationOf(app)

  it('a support bundle has versions, settings, figures, pauses, failures and metrics, and no secret', async () => {
    await app.store.pause({ what: 'webhooks' }, 'the receiver moves')
    const failed = { status: 'FAILED', errorStatus: 'STORAGE_ERROR', errorMessage: 'x' } as const
    await app.store.commitOutcome(withoutReport(await app.submit(), null, failed))
    const bundle = await json('support-bundle')
    expect(field(bundle, 'version')).to.equal('test')
    expect(field(bundle, 'migrations')).to.include('0001_accounts')
    expect(field(field(field(bundle, 'pauses'), '0'), 'why')).to.equal('the receiver moves')
    const errors = field(bundle, 'failed_commands_of_24_hours')
    expect(errors).to.deep.equal({ STORAGE_ERROR: 1 })
    while ((await app.store.foldUsage(100)) > 0);
    expect(await app.store.countErrors({ hours: 24 })).to.deep.equal(errors)
    expect(field(bundle, 'figures')).to.have.property('ledgerVcpus', 0)
    expect(field(bundle, 'metrics')).to.equal('cloudffmpeg_up 1')
    expect(field(bundle, 'settings')).to.deep.equal({
      plans: {},
      CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: '(set)',
    })
    const { output } = await admin('support-bundle')
    expect(output).not.to.contain('private')
    expect(output).not.to.contain(app.account.name)
  })
})
