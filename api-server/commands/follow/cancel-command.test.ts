import { expect } from 'chai'
import { unknownId, useApp } from '../../../testing/support/api/app.ts'
import { stillEffects } from '../../../testing/support/still-effects.ts'
import { until } from '../../../testing/support/until.ts'
import { keyHash } from '../../accounts/secrets.ts'
import { field, refusalOf } from '../../checked-call.fixture.ts'
import {
  failed as failure,
  lossOf,
  newId,
  queuedStep,
} from '../../../testing/store-contract/fixtures.ts'
import {
  cancelled,
  fail,
  start,
  succeed,
  withoutReport,
} from '../../../testing/support/api/outcomes.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'
import type { Sent } from '../../checked-call.fixture.ts'
import type { Outcome } from '../../../common/store/attempts.ts'

describe('POST /v1/commands/{command_id}/cancel', () => {
  const effects = stillEffects()
  const app = useApp({ effects })

  const cancel = (id: string, sent: Sent = {}) =>
    app.call(`/v1/commands/${id}/cancel`, { method: 'POST', ...sent })
  const report = (commandId: string, attempt: string) =>
    app.store.storeProgress({
      commandId,
      attempt,
      status: 'PROCESSING',
      stage: 'FFMPEG_PROCESSING',
      progressPercent: 50,
      steps: [queuedStep],
      logs: [],
    })
  const commit = (id: string, attempt: string | null, outcome: Outcome) =>
    app.store.commitOutcome(withoutReport(id, attempt, outcome))

  it('ends a queued command immediately and finally', async () => {
    const id = await app.submit()
    const { status, body } = await cancel(id)
    expect(status).to.equal(200)
    expect(body).to.deep.include({
      status: 'FAILED',
      error_status: 'CANCELLED',
      error_message: 'Cancelled by request',
      attempts: 0,
      processing_quota_used: 0,
      queue_position: null,
    })
    expect(field(field(body, 'steps'), '0')).to.include({ status: 'SKIPPED' })
    const claim = await app.store.claimAttempt({ commandId: id, jobGeneration: 1, podUid: 'late' })
    expect(claim.kind).to.equal('final')
  })

  it('a cancelled record names the key that submitted it and the one that cancelled it', async () => {
    const addKey = async (prefix: string, label: string | null) => {
      const key = prefix.padEnd(47, 'x')
      const own = { keyId: newId(), sha256: keyHash(key), environmentName: null, label, prefix }
      await app.store.addApiKey(app.account.accountId, own)
      return key
    }
    const id = await app.submit({}, { key: await addKey('cff_AbCd', 'CI') })
    const { body } = await cancel(id, { key: await addKey('cff_EfGh', null) })
    expect(body).to.deep.include({
      submitted_by: { key_prefix: 'cff_AbCd', key_label: 'CI' },
      cancelled_by: 'key cff_EfGh',
    })
  })

  it('answers the same again, also with a body that is not JSON', async () => {
    const id = (await app.submit()).toUpperCase()
    const first = await cancel(id)
    expect((await cancel(id, { body: '{"no json' })).body).to.deep.equal(first.body)
  })

  it('ends a command between two attempts, when no runner holds it', async () => {
    const id = await app.submit()
    const pod = await start(app, id)
    await app.store.loseAttempt(lossOf(id, { attempt: pod, podUid: pod }))
    expect((await cancel(id)).body).to.include({ error_status: 'CANCELLED', attempts: 1 })
  })

  it('instructs the runner to stop and waits for its report', async () => {
    const id = await app.submit()
    const attempt = await start(app, id)
    expect(await report(id, attempt)).to.deep.equal({ kind: 'stored', cancel: false })
    const answer = cancel(id)
    await until(async () => {
      const answered = await report(id, attempt)
      return answered.kind === 'stored' && answered.cancel
    }, 'the request to stop')
    await commit(id, attempt, cancelled)
    const { status, body } = await answer
    expect([status, field(body, 'error_status')]).to.deep.equal([200, 'CANCELLED'])
  })

  it('returns the outcome that was committed first', async () => {
    const id = await app.submit()
    const attempt = await start(app, id)
    const answer = cancel(id)
    await until(async () => (await app.store.findForReconcile(id))?.cancelRequested)
    await commit(id, attempt, { status: 'SUCCESS', files: [] })
    const { status, body } = await answer
    expect([status, field(body, 'status')]).to.deep.equal([200, 'SUCCESS'])
  })

  it('answers after ten seconds without a report; the request to cancel stays', async () => {
    const id = await app.submit()
    const attempt = await start(app, id)
    const beganMs = effects.clock.monotonicMs()
    const { status, body } = await effects.until(cancel(id))
    expect(effects.clock.monotonicMs() - beganMs).to.be.at.least(10_000)
    expect([status, field(body, 'status')]).to.deep.equal([200, 'PROCESSING'])
    expect(await report(id, attempt)).to.deep.equal({ kind: 'stored', cancel: true })
  })

  it('refuses to cancel a command that has ended otherwise', async () => {
    const done = await app.submit()
    await succeed(app, done)
    const finished = 'Command has already finished:'
    expect(refusalOf(await cancel(done))).to.deep.equal([409, `${finished} SUCCESS`])
    const failed = await app.submit()
    await commit(failed, null, failure('START_TIMEOUT'))
    expect(refusalOf(await cancel(failed))).to.deep.equal([409, `${finished} FAILED`])
    const gone = await app.submit()
    await fail(app, gone)
    expect((await cancel(gone)).status).to.equal(200)
  })

  it("returns 404 for unknown ids and other accounts' ids, and rejects invalid ids", async () => {
    await app.addAccount('other', 'pro', 'key-of-other')
    const foreign = await app.submit({}, { key: 'key-of-other' })
    for (const id of [unknownId, foreign]) expect((await cancel(id)).status).to.equal(404)
    expect(await app.store.findForReconcile(foreign)).to.include({ status: 'QUEUED' })
    expect((await cancel('17')).status).to.equal(422)
  })

  it('commits one outcome when several calls cancel and a runner claims concurrently', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => app.submit()))
    for (const id of ids) await app.store.markDispatched(id, `uid-${id}`)
    const { accountId } = app.account
    await admitWaiting(app.store, accountId)
    await effects.until(
      Promise.all(
        ids.map(async (id) => {
          const [first, claim, second] = await Promise.all([
            cancel(id),
            app.store.claimAttempt({ commandId: id, jobGeneration: 1, podUid: `pod-${id}` }),
            cancel(id),
          ])
          expect([first.status, second.status]).to.deep.equal([200, 200])
          const row = await app.store.findForReconcile(id)
          // Either the command has ended, or its runner is instructed to stop.
          if (claim.kind === 'assigned') expect(row).to.include({ cancelRequested: true })
          else expect(row).to.include({ errorStatus: 'CANCELLED' })
        }),
      ),
    )
  })
})
