import { expect } from 'chai'
import { unknownId, useApp } from '../../../testing/support/api/app.ts'
import { commitOf, lossOf, newFile, queuedStep } from '../../../testing/store-contract/fixtures.ts'
import { claim, fail, start, succeed } from '../../../testing/support/api/outcomes.ts'
import type { ProcessingStage } from '../../../common/domain/states.ts'
import type { CommandTimeline } from '../../../common/openapi/openapi-types.ts'

describe('GET /v1/commands/{command_id}/timeline', () => {
  const app = useApp()
  const read = async (id: string) =>
    (await app.call(`/v1/commands/${id}/timeline`)).body as CommandTimeline
  const report = (commandId: string, attempt: string, stage: ProcessingStage, running = false) =>
    app.store.storeProgress({
      commandId,
      attempt,
      status: 'PROCESSING',
      stage,
      progressPercent: null,
      logs: [],
      steps: [{ ...queuedStep, status: running ? 'PROCESSING' : 'QUEUED' }],
    })
  const named = ({ attempts }: CommandTimeline) =>
    attempts.map(({ end, stages }) => [end, ...stages.map(({ stage }) => stage)])

  it('shows what a command waits for', async () => {
    const id = await app.submit()
    const { waits, attempts } = await read(id)
    expect(waits).to.have.length(1)
    expect(waits[0]).to.deep.include({ reason: 'DISPATCH', to: null })
    expect(attempts).to.deep.equal([])
    await app.store.markDispatched(id, `uid-${id}`)
    const { accountId } = app.account
    await app.store.recordWaits([{ accountId, reason: 'ACCOUNT_VCPUS', rateVcpus: null }])
    const [first, second] = (await read(id)).waits
    expect(first?.to).to.equal(second?.from)
    const message = 'Waits for vCPUs of your account'
    expect(second).to.deep.include({ reason: 'ACCOUNT_VCPUS', message, to: null })
  })

  it('keeps the reason of a wait after the admission, unless it was shorter than a second', async () => {
    const { accountId } = app.account
    await app.store.recordWaits([{ accountId, reason: 'CAPACITY', rateVcpus: null }])
    const [long, short] = [await app.submit(), await app.submit()]
    for (const id of [long, short]) await app.store.markDispatched(id, `uid-${id}`)
    const age = `update commands set created_at = created_at - interval '1 minute',
      dispatched_at = dispatched_at - interval '1 minute' where command_id = $1`
    await app.query('age', age, [long])
    // Shorter than a second, however late its admission comes.
    const delay = `update commands set dispatched_at = dispatched_at + interval '1 day' where command_id = $1`
    await app.query('delay', delay, [short])
    await claim(app, long)
    await claim(app, short)
    await app.store.recordWaits([{ accountId, reason: null, rateVcpus: null }])
    const reasons = async (id: string) => (await read(id)).waits.map(({ reason }) => reason)
    expect(await reasons(long)).to.deep.equal(['DISPATCH', 'CAPACITY'])
    expect(await reasons(short)).to.deep.equal(['DISPATCH', null])
  })

  it('a timeline has each stage that was reported, once, and the start of FFmpeg', async () => {
    const id = await app.submit()
    const { podUid } = await claim(app, id)
    await report(id, podUid, 'FFMPEG_PROCESSING')
    await report(id, podUid, 'FFMPEG_PROCESSING', true)
    await report(id, podUid, 'FFMPEG_PROCESSING', true)
    // Late: it changes nothing.
    await report(id, podUid, 'DOWNLOADING')
    const timeline = await read(id)
    expect(named(timeline)).to.deep.equal([[null, 'STARTING', 'DOWNLOADING', 'FFMPEG_PROCESSING']])
    const [attempt] = timeline.attempts
    const times = attempt?.stages.flatMap(({ started_at, finished_at }) => [
      started_at,
      finished_at,
    ])
    expect(times?.[0]).to.equal(attempt?.started_at)
    expect(times?.[1]).to.equal(times?.[2])
    expect(times?.[3]).to.equal(times?.[4])
    expect(times?.[5]).to.equal(null)
    // Some are in milliseconds.
    const ms = times?.slice(0, 5).map((time) => Date.parse(time ?? '')) ?? []
    expect(ms).to.deep.equal(ms.toSorted((a, b) => a - b))
    expect(attempt?.steps[0]?.started_at).to.be.a('string')
    const marks = await app.query<{ count: number }>(
      'marks',
      'select jsonb_array_length(timeline) as count from commands where command_id = $1',
      [id],
    )
    expect(marks[0]?.count).to.equal(2)
  })

  it('the timeline ends with the command, and says how many bytes were read and stored', async () => {
    const id = await app.submit()
    await succeed(app, id)
    const { attempts } = await read(id)
    expect(attempts[0]).to.include({ attempt: 1, end: 'SUCCESS' })
    const record = await app.record(`/v1/commands/${id}`)
    expect(attempts[0]?.finished_at).to.equal(record['finished_at'])
    expect(attempts[0]?.stages.at(-1)?.finished_at).to.equal(record['finished_at'])
    const of = (stage: string) => attempts[0]?.stages.find((one) => one.stage === stage)
    expect(of('DOWNLOADING')?.bytes).to.equal(2_097_152)
    expect(of('FFMPEG_PROCESSING')?.bytes).to.equal(null)
    expect(of('UPLOADING')?.files ?? 1).to.equal(1)
    expect(of('DOWNLOADING')?.files).to.equal(null)
    expect(attempts[0]?.steps).to.have.length(1)
  })

  it('counts the stored files, and ends a step with the time that FFmpeg ran', async () => {
    const id = await app.submit()
    const { podUid: attempt } = await claim(app, id)
    await report(id, attempt, 'FFMPEG_PROCESSING', true)
    await report(id, attempt, 'UPLOADING', true)
    const ago = `update commands set timeline = (
      select jsonb_agg(mark || jsonb_build_object('at', now() - interval '1 minute'))
      from jsonb_array_elements(timeline) mark) where command_id = $1`
    await app.query('age_marks', ago, [id])
    const playlist = { alias: 'out_playlist_1', key: `public/${id}/a.m3u8`, fileCount: 4 }
    const files = [newFile(id), { ...newFile(id), ...playlist }]
    await app.store.commitOutcome({
      ...commitOf(id, attempt, { status: 'SUCCESS', files }),
      steps: [{ ...queuedStep, status: 'SUCCESS', ffmpeg_command_run_seconds: 2.5 }],
    })
    const [last] = (await read(id)).attempts
    expect(last?.stages.find(({ stage }) => stage === 'UPLOADING')?.files).to.equal(5)
    const [step] = last?.steps ?? []
    const span = Date.parse(step?.finished_at ?? '') - Date.parse(step?.started_at ?? '')
    expect(span).to.equal(2_500)
  })

  it('a timeline has an attempt for each runner, also for one that is awaited', async () => {
    const id = await app.submit()
    const first = await start(app, id)
    await app.store.loseAttempt(lossOf(id, { attempt: first, podUid: first }))
    expect(named(await read(id))).to.deep.equal([
      ['LOST', 'STARTING', 'DOWNLOADING', 'FFMPEG_PROCESSING'],
      [null, 'STARTING'],
    ])
    await app.store.claimAttempt({ commandId: id, jobGeneration: 2, podUid: `second-${id}` })
    await report(id, `second-${id}`, 'UPLOADING')
    const timeline = await read(id)
    expect(named(timeline)[1]).to.deep.equal([null, 'STARTING', 'DOWNLOADING', 'UPLOADING'])
    expect(timeline.attempts[1]?.started_at).to.equal(timeline.attempts[0]?.finished_at)
  })

  it('shows what the pod of an attempt waited for, within its start', async () => {
    const id = await app.submit()
    const first = await start(app, id)
    await app.store.loseAttempt(lossOf(id, { attempt: first, podUid: first }))
    const age = `update attempts set lost_at = lost_at - interval '1 minute' where command_id = $1`
    await app.query('age_losses', age, [id])
    await app.store.claimAttempt({
      commandId: id,
      jobGeneration: 2,
      podUid: `second-${id}`,
      start: { nodeSeconds: 20, sandboxSeconds: 22 },
    })
    const { waits, attempts } = await read(id)
    const begin = Date.parse(attempts[1]?.started_at ?? '')
    const spans = waits
      .slice(-2)
      .map(({ reason, from, to }) => [
        reason,
        Date.parse(from) - begin,
        Date.parse(to ?? '') - begin,
      ])
    const claimed = Date.parse(attempts[1]?.stages[0]?.finished_at ?? '') - begin
    expect(spans).to.deep.equal([
      ['NODE', 0, 20_000],
      ['IMAGE', 22_000, claimed],
    ])
  })

  it('shows no wait of a pod that is shorter than two seconds or longer than the start', async () => {
    const id = await app.submit()
    const { podUid } = await claim(app, id)
    await app.store.loseAttempt(lossOf(id, { attempt: podUid, podUid }))
    await app.store.claimAttempt({
      commandId: id,
      jobGeneration: 2,
      podUid: `second-${id}`,
      start: { nodeSeconds: 86_400, sandboxSeconds: null },
    })
    expect((await read(id)).waits.map(({ reason }) => reason)).not.to.include.members([
      'NODE',
      'IMAGE',
    ])
  })

  it('a timeline has no attempt for a command that ended in the queue', async () => {
    const id = await app.submit()
    await fail(app, id)
    const { waits, attempts } = await read(id)
    expect(waits.map(({ to }) => to)).to.deep.equal([
      (await app.record(`/v1/commands/${id}`))['finished_at'],
    ])
    expect(attempts).to.deep.equal([])
  })

  it('returns 404 for an unknown command and for one of another account', async () => {
    expect((await app.call(`/v1/commands/${unknownId}/timeline`)).status).to.equal(404)
    await app.addAccount('timeline-other', 'pro', 'key-of-timeline-other')
    const foreign = await app.submit({}, { key: 'key-of-timeline-other' })
    expect((await app.call(`/v1/commands/${foreign}/timeline`)).status).to.equal(404)
  })
})
