import { expect } from 'chai'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import type { VirtualClock } from '../../testing/support/virtual-clock.ts'
import { until } from '../../testing/support/until.ts'
import { openGateway } from '../../testing/support/operator/gateway.ts'
import { failure, progress, success } from './messages.fixture.ts'

describe('the gateway and a pod that waits for a command', () => {
  let clock: VirtualClock
  let gateway: Awaited<ReturnType<typeof openGateway>>
  let isStopped: boolean
  let assignedAfter: number[]
  beforeEach(async function () {
    // The first use on a machine builds the S3 server.
    this.timeout(600_000)
    clock = createVirtualClock()
    isStopped = false
    const effects: Effects = { ...systemEffects(), clock }
    assignedAfter = []
    const onAssigned = (seconds: number) => void assignedAfter.push(seconds)
    gateway = await openGateway({ effects, onAssigned })
  })
  afterEach(() => (isStopped ? undefined : gateway.close()))

  it('answers its open request with the assignment as soon as it is bound', async () => {
    const [pod, command] = [await gateway.warmRunner(), await gateway.command()]
    const { answer } = await pod.offered('12.5')
    await clock.advance(3_000)
    const { podUid, podName } = pod
    expect(gateway.waiters.offers()).to.deep.equal([{ podUid, podName, waitedSeconds: 16 }])
    expect(await pod.bind(command.commandId)).to.equal(true)
    const { status, body } = await answer
    expect(status).to.equal(200)
    expect(body).to.deep.include({ commandId: command.commandId, outputs: { out_1: 'o.mp4' } })
    expect(gateway.waiters.offers()).to.deep.equal([])
    expect(assignedAfter).to.deep.equal([0])
  })

  it('answers 204 after 25 s, and binds the pod by its next request', async () => {
    const [pod, command] = [await gateway.warmRunner(), await gateway.command()]
    const first = await pod.offered()
    await clock.advance(25_000)
    expect((await first.answer).status).to.equal(204)
    expect(gateway.waiters.offers()).to.deep.equal([])
    const second = await pod.offered('25')
    await pod.bind(command.commandId)
    expect((await second.answer).status).to.equal(200)
  })

  it('gives a bound pod its assignment from each replica, when the answer was lost', async () => {
    const [pod, command] = [await gateway.warmRunner(), await gateway.command()]
    const lost = new AbortController()
    const { answer } = await pod.offered('0', lost.signal)
    lost.abort()
    await answer.catch(() => undefined)
    await pod.bind(command.commandId)
    gateway.place.now = { kind: 'elsewhere', address: '10.0.0.9:8090' }
    const first = await pod.waits('3')
    expect(first.body).to.deep.include({ commandId: command.commandId })
    expect((await pod.waits('4')).body).to.deep.equal(first.body)
    expect(await gateway.store.findForReconcile(command.commandId)).to.include({
      attempt: pod.podUid,
      attempts: 1,
      warmRunnerJob: pod.warmRunnerJob,
    })
  })

  it('gives a pod that was bound while it sent its request the assignment', async () => {
    const [pod, command] = [await gateway.warmRunner(), await gateway.command()]
    expect(await pod.bind(command.commandId)).to.equal(false)
    expect((await pod.waits()).body).to.deep.include({ commandId: command.commandId })
  })

  it('the gateway does not offer a pod any more when its connection closes', async () => {
    const pod = await gateway.warmRunner()
    const lost = new AbortController()
    const { answer } = await pod.offered('0', lost.signal)
    const ended = new Promise<void>((resolve) => void gateway.waiters.onChange(resolve))
    lost.abort()
    await answer.catch(() => undefined)
    await ended
    expect(gateway.waiters.offers()).to.deep.equal([])
  })

  it('sends it to the leader, also when the leader changes while it waits', async () => {
    const pod = await gateway.warmRunner()
    const { answer } = await pod.offered()
    gateway.place.now = { kind: 'elsewhere', address: '10.0.0.9:8090' }
    await clock.advance(1_000)
    const elsewhere = { kind: 'elsewhere', address: '10.0.0.9:8090' }
    expect((await answer).body).to.deep.equal(elsewhere)
    expect((await pod.waits('1')).body).to.deep.equal(elsewhere)
    expect(gateway.waiters.offers()).to.deep.equal([])
  })

  it('offers it as soon as this process leads', async () => {
    gateway.place.now = { kind: 'unknown' }
    const pod = await gateway.warmRunner()
    const offering = pod.offered()
    await until(() => clock.pendingTimers() > 0, 'the request to wait')
    expect(gateway.waiters.offers()).to.deep.equal([])
    gateway.place.now = { kind: 'here' }
    await clock.advance(1_000)
    expect((await offering).answer).to.be.a('promise')
    expect(gateway.waiters.offers()).to.have.length(1)
  })

  it('closes its connection while no leader is known: another one may reach the leader', async () => {
    gateway.place.now = { kind: 'unknown' }
    const answer = (await gateway.warmRunner()).waits()
    await until(() => clock.pendingTimers() > 0, 'the request to wait')
    await clock.advance(5_000)
    expect((await answer).status).to.equal(204)
    expect((await answer).headers.get('connection')).to.equal('close')
  })

  it('answers 409 to all its other requests while it has no command, then serves them', async () => {
    const [pod, command] = [await gateway.warmRunner(), await gateway.command()]
    for (const path of ['/v1/progress', '/v1/uploads', '/v1/result']) {
      const answer = await pod.post(path, progress)
      expect([answer.status, answer.body], path).to.deep.equal([409, { kind: 'unbound' }])
    }
    await pod.bind(command.commandId)
    expect((await pod.post('/v1/progress', progress)).body).to.deep.equal({ cancel: false })
    const file = { path: 'o.mp4', sizeBytes: 3, contentType: 'video/mp4', attachment: false }
    const granted = await pod.post('/v1/uploads', { files: [file] })
    expect(JSON.stringify(granted.body)).to.contain(pod.podUid)
    expect((await pod.post('/v1/result', failure('FFMPEG_FAILED'))).body).to.deep.equal({
      kind: 'recorded',
      status: 'FAILED',
      errorStatus: 'FFMPEG_FAILED',
    })
    expect((await pod.waits()).status).to.equal(410)
  })

  it('answers 409 to a bound pod whose attempt was lost', async () => {
    const [pod, command] = [await gateway.warmRunner(), await gateway.command()]
    await pod.bind(command.commandId)
    await gateway.lose(command.commandId, pod.podUid)
    expect((await pod.waits()).body).to.deep.equal({ kind: 'superseded' })
    expect((await pod.post('/v1/progress', progress)).status).to.equal(409)
    expect((await pod.post('/v1/result', success)).status).to.equal(409)
  })

  it('refuses a time that is not one', async () => {
    const pod = await gateway.warmRunner()
    for (const waited of ['-1', 'x', '1e9', 'Infinity']) {
      expect((await pod.waits(waited)).status, waited).to.equal(400)
    }
  })

  it('ends its request when the process stops', async () => {
    const pod = await gateway.warmRunner()
    const { answer } = await pod.offered()
    isStopped = true
    await gateway.close()
    expect((await answer).status).to.equal(204)
  })
})
