import { expect } from 'chai'
import { startTestApp, submission, unknownId } from '../../app.fixture.ts'
import { checkedCall, field } from '../../checked-call.fixture.ts'
import { fastEffects } from '../../fast-effects.fixture.ts'
import { fail, start, succeed } from '../outcomes.fixture.ts'
import type { TestApp } from '../../app.fixture.ts'
import type { Answered } from '../../checked-call.fixture.ts'
import type { Outcome, OutcomeCommit } from '../../../common/store/attempts.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'

describe('POST /v1/commands/{command_id}/cancel', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp({ effects: fastEffects() })
  })
  after(() => app.close())

  const post = (path: string, body?: unknown, key = app.key): Promise<Answered> =>
    checkedCall(app.url, path, { method: 'POST', key, ...(body === undefined ? {} : { body }) })
  const submit = async (key = app.key) =>
    String(field((await post('/v1/run-ffmpeg-command', submission, key)).body, 'command_id'))
  const cancel = (id: string) => post(`/v1/commands/${id}/cancel`)
  const report = (commandId: string, attempt: string) =>
    app.store.storeProgress({
      ...{ commandId, attempt, status: 'PROCESSING', stage: 'FFMPEG_PROCESSING' },
      ...{ progressPercent: 50, steps: [], logs: [] },
    })
  const cancelled: Omit<OutcomeCommit, 'commandId' | 'attempt'> = {
    outcome: { status: 'FAILED', errorStatus: 'CANCELLED', errorMessage: 'Cancelled by request' },
    steps: null,
    usage: null,
    logs: [],
  }

  it('ends a queued command immediately and finally', async () => {
    const id = await submit()
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
    const claim = await app.store.claimAttempt({ commandId: id, round: 1, podUid: 'late' })
    expect(claim.kind).to.equal('final')
  })

  it('answers the same again, also with a body that is not JSON', async () => {
    const id = (await submit()).toUpperCase()
    const first = await cancel(id)
    expect((await post(`/v1/commands/${id}/cancel`, '{"no json')).body).to.deep.equal(first.body)
  })

  it('ends a command between two attempts, when no runner holds it', async () => {
    const id = await submit()
    const pod = await start(app, id)
    const loss = { round: 1, attempt: pod, podUid: pod, reason: 'Evicted', charged: false }
    await app.store.loseAttempt({ commandId: id, ...loss, sameRound: false, maxAttempts: 3 })
    expect((await cancel(id)).body).to.include({ error_status: 'CANCELLED', attempts: 1 })
  })

  it('instructs the runner to stop and waits for its report', async () => {
    const id = await submit()
    const attempt = await start(app, id)
    expect(await report(id, attempt)).to.deep.equal({ kind: 'stored', cancel: false })
    const answer = cancel(id)
    // The runner polls until the row requests the cancellation.
    for (;;) {
      const answered = await report(id, attempt)
      if (answered.kind === 'stored' && answered.cancel) break
    }
    await app.store.commitOutcome({ commandId: id, attempt, ...cancelled })
    const { status, body } = await answer
    expect([status, field(body, 'error_status')]).to.deep.equal([200, 'CANCELLED'])
  })

  it('returns the outcome that was committed first', async () => {
    const id = await submit()
    const attempt = await start(app, id)
    const answer = cancel(id)
    while (!(await app.store.findForReconcile(id))?.cancelRequested) await report(id, attempt)
    const outcome: Outcome = { status: 'SUCCESS', files: [] }
    await app.store.commitOutcome({ commandId: id, attempt, ...cancelled, outcome })
    const { status, body } = await answer
    expect([status, field(body, 'status')]).to.deep.equal([200, 'SUCCESS'])
  })

  it('answers after ten seconds without a report; the request to cancel stays', async () => {
    const id = await submit()
    const attempt = await start(app, id)
    const { status, body } = await cancel(id)
    expect([status, field(body, 'status')]).to.deep.equal([200, 'PROCESSING'])
    expect(await report(id, attempt)).to.deep.equal({ kind: 'stored', cancel: true })
  })

  it('refuses to cancel a command that has ended otherwise', async () => {
    const done = await submit()
    await succeed(app, done)
    expect(await cancel(done)).to.deep.include({
      status: 409,
      body: { detail: 'Command has already finished: SUCCESS' },
    })
    const failed = await submit()
    await app.store.commitOutcome({
      ...{ commandId: failed, attempt: null, ...cancelled },
      outcome: { status: 'FAILED', errorStatus: 'START_TIMEOUT', errorMessage: 'x' },
    })
    expect((await cancel(failed)).body).to.deep.equal({
      detail: 'Command has already finished: FAILED',
    })
    const gone = await submit()
    await fail(app, gone)
    expect((await cancel(gone)).status).to.equal(200)
  })

  it("returns 404 for unknown ids and other accounts' ids, and rejects invalid ids", async () => {
    await app.addAccount('other', 'pro', 'key-of-other')
    const foreign = await submit('key-of-other')
    for (const id of [unknownId, foreign]) expect((await cancel(id)).status).to.equal(404)
    expect(await app.store.findForReconcile(foreign)).to.include({ status: 'QUEUED' })
    expect((await cancel('17')).status).to.equal(422)
  })

  it('commits one outcome when several calls cancel and a runner claims concurrently', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => submit()))
    for (const id of ids) await app.store.markDispatched(id, `uid-${id}`)
    const { accountId } = app.account
    await admitWaiting(app.store, accountId)
    await Promise.all(
      ids.map(async (id) => {
        const [first, claim, second] = await Promise.all([
          cancel(id),
          app.store.claimAttempt({ commandId: id, round: 1, podUid: `pod-${id}` }),
          cancel(id),
        ])
        expect([first.status, second.status]).to.deep.equal([200, 200])
        const row = await app.store.findForReconcile(id)
        // In either order: the command has ended, or its runner is instructed to stop.
        if (claim.kind === 'assigned') expect(row).to.include({ cancelRequested: true })
        else expect(row).to.include({ errorStatus: 'CANCELLED' })
      }),
    )
  })
})
