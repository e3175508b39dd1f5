import { expect } from 'chai'
import { customResourceName, jobName } from '../common/resource-names.ts'
import { createWorld, namespace, terminated } from './controller.fixture.ts'
import type { FakePod, World } from './controller.fixture.ts'
import { commandId } from './situation.fixture.ts'

const second = '0197a3f1-7c4e-7d11-9a55-0242ac120003'
const resource = customResourceName(commandId)

describe('controller', () => {
  let world: World

  beforeEach(async () => {
    world = createWorld()
    await world.start()
  })

  afterEach(() => world.stop())

  async function run(id = commandId): Promise<FakePod> {
    const name = jobName(id, 1)
    await world.clock.runUntil(() => world.jobNames().includes(name), 5_000)
    const pod = await world.pod(name)
    // Its containers start.
    await world.clock.advance(300)
    await world.store.claimAttempt({ commandId: id, round: 1, podUid: pod.uid })
    await world.clock.advance(1_000)
    return pod
  }

  async function succeed(id: string, podUid: string): Promise<void> {
    await world.store.commitOutcome({
      commandId: id,
      attempt: podUid,
      outcome: { status: 'SUCCESS', files: [] },
      steps: null,
      usage: null,
      logs: [],
    })
  }

  it('brings a short command from its row to its end with seven requests, none of them a read', async () => {
    const before = world.server.calls.length
    const callsOf = () =>
      world.server.calls
        .slice(before)
        .map(({ verb, kind, subresource }) => [verb, kind, subresource].filter(Boolean).join(' '))
    await world.submit(commandId)
    const pod = await run()
    await succeed(commandId, pod.uid)
    pod.complete()
    await world.clock.advance(2_000)

    expect(world.status(resource)).to.deep.include({ state: 'SUCCESS', reason: 'Succeeded' })
    expect(await world.rowOf(commandId)).to.deep.include({ mirrored: true, released: true })
    // The custom resource's own create, the seventh, is dispatch's.
    expect(callsOf()).to.deep.equal([
      'create Job',
      'patch FfmpegCommand status',
      'patch FfmpegCommand status',
      'patch Job',
    ])

    await world.clock.advance(120_000)
    expect(world.server.cluster.get('FfmpegCommand', namespace, resource)).to.equal(null)
    const swept = callsOf().filter((call) => !call.startsWith('watch') && !call.startsWith('list'))
    expect(swept.slice(4)).to.deep.equal(['patch FfmpegCommand', 'delete FfmpegCommand'])
  })

  it('keeps the second command of a full account waiting, says why, and starts it after the first', async () => {
    await world.submit(commandId, { vcpuCount: 4 })
    const pod = await run()
    await world.submit(second, { vcpuCount: 4 })
    await world.clock.advance(5_000)
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 1)])
    expect(world.status(customResourceName(second))).to.deep.include({
      state: 'QUEUED',
      reason: 'WaitingForQuota',
      message: 'Needs 4 vCPUs; the account uses 4 of its 4',
      queuePosition: 1,
    })

    await succeed(commandId, pod.uid)
    await world.clock.advance(1_000)
    expect(world.jobNames(), 'the quota is held until the pod has ended').to.have.length(1)
    pod.complete()
    await world.clock.advance(1_000)
    expect(world.jobNames()).to.include(jobName(second, 1))
  })

  it('fails a command whose container was killed for memory', async () => {
    await world.submit(commandId)
    const pod = await run()
    pod.end({
      containerStatuses: [terminated('transfer', 44), terminated('ffmpeg', 137, 'OOMKilled')],
    })
    await world.clock.advance(2_000)
    expect(world.status(resource)).to.deep.include({
      state: 'FAILED',
      errorStatus: 'OUT_OF_MEMORY',
    })
  })

  it('starts the next round when the Job is deleted by hand, and refuses the old pod', async () => {
    await world.submit(commandId)
    const pod = await run()
    world.server.cluster.delete('Job', namespace, jobName(commandId, 1))
    await world.clock.advance(1_000)
    const [old] = world.server.cluster.list('Pod')
    if (old !== undefined) world.server.cluster.finishGrace('Pod', namespace, old.metadata.name)
    await world.clock.advance(2_000)
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 2)])
    const claim = await world.store.claimAttempt({ commandId, round: 1, podUid: pod.uid })
    expect(claim.kind).to.equal('lost')
  })

  it('cancels once when the object is deleted, and lets it go when the pod is gone', async () => {
    await world.submit(commandId)
    const pod = await run()
    world.server.cluster.delete('FfmpegCommand', namespace, resource)
    await world.clock.advance(2_000)
    expect(await world.rowOf(commandId)).to.deep.include({
      status: 'FAILED',
      errorStatus: 'CANCELLED',
      released: false,
    })
    expect(world.jobNames()).to.deep.equal([])
    expect(world.server.cluster.get('FfmpegCommand', namespace, resource)).to.not.equal(null)
    const [left] = world.server.cluster.list('Pod')
    expect(left?.metadata.uid).to.equal(pod.uid)
    world.server.cluster.finishGrace('Pod', namespace, left?.metadata.name ?? '')
    await world.clock.advance(6_000)
    expect(await world.rowOf(commandId)).to.deep.include({ released: true })
    expect(world.server.cluster.get('FfmpegCommand', namespace, resource)).to.equal(null)
  })

  it('finds the Job that it created before it was stopped', async () => {
    await world.submit(commandId)
    await world.clock.runUntil(() => world.jobNames().length > 0, 5_000)
    await world.stop()
    await world.start()
    const pod = await run()
    await succeed(commandId, pod.uid)
    pod.complete()
    await world.clock.advance(2_000)
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 1)])
    expect(world.status(resource)?.state).to.equal('SUCCESS')
  })

  it('commits the end of a pod that died while nobody was looking', async () => {
    await world.submit(commandId)
    const pod = await run()
    await world.stop()
    pod.end({ reason: 'Evicted', message: 'Usage of EmptyDir volume "work" exceeds the limit' })
    await world.start()
    await world.clock.advance(2_000)
    expect(await world.rowOf(commandId)).to.deep.include({ errorStatus: 'DISK_FULL' })
  })

  it('gives up with the reason when the Job is refused for quota too long', async () => {
    world.server.faults.next(
      { verb: 'create', kind: 'Job' },
      { answer: { status: 403, reason: 'Forbidden', message: 'exceeded quota: pods' } },
      Infinity,
    )
    await world.submit(commandId)
    await world.clock.advance(10_000)
    expect(world.status(resource)?.reason).to.equal('QuotaForbidden')
    await world.clock.advance(600_000)
    const { errorStatus, errorMessage } = await world.rowOf(commandId)
    expect(errorStatus).to.equal('START_TIMEOUT')
    expect(errorMessage).to.match(/exceeded quota/)
  })

  it('creates one Job although the reply to its creation was lost', async () => {
    world.server.faults.next({ verb: 'create', kind: 'Job' }, 'lose-reply')
    await world.submit(commandId)
    await world.clock.advance(30_000)
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 1)])
  })

  it('runs an object applied with kubectl under its own UID', async () => {
    await world.store.ensureAccount({ accountId: second, name: 'acme', plan: 'small' })
    const { metadata } = world.server.cluster.create('FfmpegCommand', namespace, {
      metadata: { name: 'by-hand' },
      spec: {
        account: 'default',
        commands: ['-i {{in_1}} {{out_1}}'],
        inputFiles: { in_1: 'https://media.example/a.mp4' },
        outputFiles: { out_1: 'b.mp4' },
        vcpuCount: 99,
      },
    })
    await world.clock.advance(2_000)
    const imported = await world.rowOf(metadata.uid)
    expect(imported).to.deep.include({ vcpuCount: 4, accountName: 'acme' })
    expect(world.jobNames()).to.deep.equal([jobName(metadata.uid, 1)])
    const object = world.server.cluster.get('FfmpegCommand', namespace, 'by-hand')
    expect(object?.metadata.finalizers).to.deep.equal(['cloudffmpeg.dev/record'])
  })

  it('imports a stored file: a record, and a Job of its own that counts no vCPUs', async () => {
    await world.store.ensureAccount({ accountId: second, name: 'acme', plan: 'small' })
    const { metadata } = world.server.cluster.create('StoredFile', namespace, {
      metadata: { name: 'clip' },
      spec: { account: 'acme', source: { url: 'https://media.example/clip.mov' }, private: false },
    })
    await world.clock.advance(3_000)
    const imported = await world.rowOf(metadata.uid)
    expect(imported).to.deep.include({ commandType: 'STORED_FILE', vcpuCount: 0, admitted: true })
    expect(imported.file).to.deep.include({ status: 'QUEUED', deleted: false })
    expect(world.jobNames()).to.deep.equal([jobName(metadata.uid, 1, 'StoredFile')])
    const [job] = world.server.cluster.list('Job')
    expect(job?.metadata.ownerReferences?.[0]).to.deep.include({ kind: 'StoredFile', name: 'clip' })
    const file = world.server.cluster.get('StoredFile', namespace, 'clip')
    expect(file?.metadata.finalizers).to.deep.equal(['cloudffmpeg.dev/record'])
    expect(file?.status).to.deep.include({ state: 'QUEUED', reason: 'JobCreated' })
  })

  it('refuses a stored file that only the service may make', async () => {
    await world.store.ensureAccount({ accountId: second, name: 'acme', plan: 'small' })
    const { metadata } = world.server.cluster.create('StoredFile', namespace, {
      metadata: { name: 'stolen' },
      spec: { account: 'acme', source: { upload: { key: 'private/other/key', name: 'key' } } },
    })
    await world.clock.advance(3_000)
    expect(await world.store.findForReconcile(metadata.uid)).to.equal(null)
    const file = world.server.cluster.get('StoredFile', namespace, 'stolen')
    expect(file?.status).to.deep.include({ state: 'FAILED', reason: 'Rejected' })
  })

  it('records an applied command that the grammar refuses', async () => {
    await world.store.ensureAccount({ accountId: second, name: 'acme', plan: 'small' })
    world.server.cluster.create('FfmpegCommand', namespace, {
      metadata: { name: 'by-hand' },
      spec: {
        account: 'acme',
        commands: ['-i /etc/passwd {{out_1}}'],
        outputFiles: { out_1: 'a' },
      },
    })
    await world.clock.advance(3_000)
    expect(world.status('by-hand')).to.deep.include({
      state: 'FAILED',
      errorStatus: 'INVALID_COMMAND',
    })
    expect(world.jobNames()).to.deep.equal([])
  })

  it('rejects an applied command of an unknown account without holding it', async () => {
    world.server.cluster.create('FfmpegCommand', namespace, {
      metadata: { name: 'by-hand' },
      spec: { account: 'nobody', commands: ['a'], outputFiles: { out_1: 'a' } },
    })
    await world.clock.advance(3_000)
    expect(world.status('by-hand')).to.deep.include({ state: 'FAILED', reason: 'Rejected' })
    const object = world.server.cluster.get('FfmpegCommand', namespace, 'by-hand')
    expect(object?.metadata).to.not.have.property('finalizers')
  })

  it('sweeps the objects of a failed attempt', async () => {
    await world.submit(commandId)
    const pod = await run()
    pod.end({ reason: 'DeadlineExceeded' })
    await world.clock.advance(130_000)
    expect(world.swept).to.deep.equal([
      `public/0197a0c2-0000-7000-8000-000000000001/${commandId}/${pod.uid}/`,
    ])
  })

  it('goes on within seconds after the database was away for minutes', async () => {
    await world.submit(commandId)
    const pod = await run()
    world.outage.database = true
    pod.end({
      containerStatuses: [terminated('transfer', 44), terminated('ffmpeg', 137, 'OOMKilled')],
    })
    await world.clock.advance(600_000)
    world.outage.database = false
    await world.clock.advance(3_000)
    expect(await world.rowOf(commandId)).to.deep.include({ errorStatus: 'OUT_OF_MEMORY' })
  })

  it('goes on within seconds after the API server was away for minutes', async () => {
    await world.submit(commandId, { vcpuCount: 4 })
    const pod = await run()
    await world.submit(second, { vcpuCount: 4 })
    world.server.setDown(true)
    await succeed(commandId, pod.uid)
    await world.clock.advance(300_000)
    world.server.setDown(false)
    pod.complete()
    await world.clock.advance(40_000)
    expect(world.status(resource)?.state).to.equal('SUCCESS')
    expect(world.jobNames()).to.include(jobName(second, 1))
  })

  it('builds a vanished resource again in the next round', async () => {
    await world.submit(commandId)
    await run()
    world.server.cluster.update('FfmpegCommand', namespace, resource, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    }))
    world.server.cluster.delete('FfmpegCommand', namespace, resource)
    await world.clock.advance(5_000)
    const [undispatched] = await world.store.claimUndispatched({
      limit: 10,
      liveLimit: 1000,
      leaseSeconds: 30,
    })
    expect(undispatched).to.deep.include({ commandId, round: 2 })
    expect(await world.rowOf(commandId)).to.deep.include({ status: 'PROCESSING', attempt: null })
  })
})
