import { expect } from 'chai'
import { runPath, submission, useApp } from '../../../testing/support/api/app.ts'
import { fail } from '../../../testing/support/api/outcomes.ts'
import { field } from '../../checked-call.fixture.ts'
import { administrationOf } from '../admin.fixture.ts'

describe('figures of an account in place of those of its plan', () => {
  const app = useApp()
  const { admin, json } = administrationOf(app)

  it('limits of an account are applied by the API, and taken back', async () => {
    await app.addAccount('narrow', 'pro', 'narrow-key')
    const set = await json('limits', 'set', 'narrow', 'maxQueued=1', 'readsPerMinute=none')
    expect(field(set, 'own')).to.deep.equal({ maxQueued: 1, readsPerMinute: null })
    const sent = { key: 'narrow-key' }
    const id = await app.submit({}, sent)
    const second = await app.post(runPath, submission, sent)
    expect(second.status).to.equal(429)
    await fail(app, id)
    const back = await json('limits', 'set', 'narrow', 'maxQueued=plan')
    expect(field(back, 'own')).to.deep.equal({ readsPerMinute: null })
    expect(field(field(back, 'figures'), 'maxQueued')).to.equal(null)
  })

  it('limits of an account are shown beside those of the plan', async () => {
    await app.addAccount('wide', 'pro', 'wide-key')
    await json('limits', 'set', 'wide', 'weight=2.5', 'vcpuTotal=8')
    const { output } = await admin('limits', 'show', 'wide')
    expect(output)
      .to.match(/^FIGURE +VALUE +PLAN pro +FROM$/m)
      .and.match(/^weight +2\.5 +1 +account$/m)
      .and.match(/^vcpuTotal +8 +4 +account$/m)
      .and.match(/^maxRunSeconds +60 +60 +plan$/m)
  })

  it('limits of an account are what the pass of admission and the runner get', async () => {
    const { accountId } = await app.addAccount('bound', 'pro', 'bound-key')
    await json('limits', 'set', 'bound', 'vcpuTotal=3')
    const id = await app.submit({}, { key: 'bound-key' })
    await app.store.markDispatched(id, `uid-${id}`)
    const waiting = await app.store.findWaiting({ heads: 10 })
    const own = waiting.find((each) => each.accountId === accountId)
    expect(own).to.deep.include({ plan: 'pro', limits: { vcpuTotal: 3 } })
    expect(await app.store.findForReconcile(id)).to.deep.include({
      accountLimits: { vcpuTotal: 3 },
    })
  })

  const refused: [string[], RegExp][] = [
    [['maxQueued'], /'maxQueued' must be FIGURE=VALUE; the figures are processingMbytes, /],
    [['maxqueued=1'], /'maxqueued=1' must be FIGURE=VALUE/],
    [['maxQueued=0'], /maxQueued must be an integer from 1, 'none' for no limit, .*; got '0'/],
    [['maxQueued=1.5'], /maxQueued must be an integer/],
    [['weight=0'], /weight must be a number above 0, or 'plan' for the plan's figure; got '0'/],
    [['weight=none'], /weight must be a number above 0/],
    [['maxRunSeconds='], /maxRunSeconds must be a number above 0/],
    [['vcpuPerCommand=999'], /vcpuPerCommand must be at most \d+, the largest of the plans/],
    [[], /FIGURE=VALUE\.\.\. is missing\n\nusage: admin limits set ACCOUNT FIGURE=VALUE\.\.\./],
  ]
  for (const [figures, message] of refused) {
    it(`refuses 'limits set ACCOUNT ${figures.join(' ')}' and changes nothing`, async () => {
      const { code, errors } = await admin(
        'limits',
        'set',
        app.account.name,
        'streams=5',
        ...figures,
      )
      if (figures.length > 0) {
        expect(errors).to.match(message)
        expect(code).to.equal(2)
      } else {
        expect((await admin('limits', 'set', app.account.name)).errors).to.match(message)
        await json('limits', 'set', app.account.name, 'streams=plan')
      }
      expect(field(await json('limits', 'show', app.account.name), 'own')).to.deep.equal({})
    })
  }

  it('the figures of an account stay as they were after a dry run, which shows what would be', async () => {
    const { accountId, name } = await app.addAccount('tried', 'pro', 'tried-key')
    const shown = await json('limits', 'set', name, 'maxJobs=2', '--dry-run')
    expect(field(shown, 'own')).to.deep.equal({ maxJobs: 2 })
    const { output } = await admin('accounts', 'suspend', name, '--dry-run')
    expect(output).to.match(/tried +pro +suspended[^]*This is a dry run: nothing was changed\.$/)
    const account = (await app.store.listAccounts(accountId))[0]
    expect(account).to.deep.include({ limits: {}, suspended: false })
    const [newest] = await app.store.listAdminActions(1)
    expect(newest?.arguments).not.to.include('--dry-run')
    const refusal = await admin('accounts', 'show', name, '--dry-run')
    expect(refusal.errors).to.match(/Unknown option '--dry-run'/)
  })
})
