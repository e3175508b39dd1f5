import { expect } from 'chai'
import { unknownMedia } from '../../common/gateway/unknown-media.ts'
import { customResourceName, jobName } from '../../common/domain/resource-names.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { createWorld } from './controller.fixture.ts'
import { useWorld } from './use-world.fixture.ts'
import { account, namespace, terminated } from './world-parts.fixture.ts'
import { commandId } from '../../testing/support/operator/snapshot.ts'
import { outputPrefix } from '../status/stored-outputs.ts'

const second = '0197a3f1-7c4e-7d11-9a55-0242ac120003'
const resource = customResourceName(commandId)

describe('controller, when something fails', () => {
  const world = useWorld()

  it('finds the Job that it created before it was stopped', async () => {
    await world.submit(commandId)
    await world.clock.runUntil(() => world.jobNames().length > 0, 5_000)
    await world.stop()
    await world.start()
    const pod = await world.runPod(commandId)
    await world.succeed(commandId, pod.uid)
    pod.complete()
    await world.clock.advance(2_000)
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 1)])
    expect(world.status(resource)?.state).to.equal('SUCCESS')
  })

  it('commits the end of a pod that died while no replica was running', async () => {
    const pod = await world.run(commandId)
    await world.stop()
    pod.end({ reason: 'Evicted', message: 'Usage of EmptyDir volume "work" exceeds the limit' })
    await world.start()
    await world.clock.advance(2_000)
    expect(await world.rowOf(commandId)).to.deep.include({ errorStatus: 'DISK_FULL' })
  })

  it('lets the pod of a command that failed by itself complete, and keeps it as long as failed ones', async () => {
    const pod = await world.run(commandId)
    await world.store.commitOutcome({
      commandId,
      attempt: pod.uid,
      outcome: { status: 'FAILED', errorStatus: 'FFMPEG_FAILED', errorMessage: 'No such filter' },
      steps: null,
      usage: null,
      logs: [],
    })
    pod.end({ phase: 'Succeeded', containerStatuses: bothCompleted() })
    await world.clock.advance(30_000)
    expect(world.status(resource)).to.include({ state: 'FAILED', errorStatus: 'FFMPEG_FAILED' })
    expect(await world.rowOf(commandId)).to.include({ released: true, jobGeneration: 1 })
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 1)])
    const job = world.server.cluster.get('Job', namespace, jobName(commandId, 1))
    expect(job?.spec?.['ttlSecondsAfterFinished']).to.equal(120)
  })

  it('lets a Job expire of which another change met its own', async () => {
    const pod = await world.run(commandId)
    const conflict = { status: 409, reason: 'Conflict', message: 'the object has been modified' }
    world.server.faults.next({ verb: 'patch', kind: 'Job' }, { answer: conflict })
    await world.succeed(commandId, pod.uid)
    pod.complete()
    await world.clock.advance(5_000)
    const job = world.server.cluster.get('Job', namespace, jobName(commandId, 1))
    expect(job?.spec?.['ttlSecondsAfterFinished']).to.equal(60)
  })

  for (const [sizeBytes, expected] of [
    [3, 'SUCCESS'],
    [2, 'FAILED'],
  ] as const) {
    it(`ends as ${expected} a command whose pod left a success behind and ${sizeBytes} of 3 bytes`, async () => {
      const pod = await world.run(commandId)
      const row = await world.rowOf(commandId)
      const prefix = outputPrefix(row, pod.uid)
      world.stored.set(`${prefix}o.mp4`, { sizeBytes, etag: 'e' })
      const file = { alias: 'out_1', path: 'o.mp4', sizeBytes: 3, media: unknownMedia }
      const outcome = {
        status: 'SUCCESS',
        files: [{ ...file, compressedBytes: null, fileCount: null }],
      }
      const usage = { inputBytes: 1, outputBytes: 3, ffmpegStarted: true, ffmpegRunSeconds: 1 }
      const message = JSON.stringify({ outcome, steps: [], usage, logs: [] })
      pod.end({ phase: 'Succeeded', containerStatuses: bothCompleted(message) })
      await world.clock.advance(2_000)
      const errorStatus = expected === 'SUCCESS' ? null : 'STORAGE_ERROR'
      expect(await world.rowOf(commandId)).to.include({ status: expected, errorStatus })
    })
  }

  it('commits the failure that a completed pod left behind while the gateway was away', async () => {
    const pod = await world.run(commandId)
    const result = {
      outcome: { status: 'FAILED', errorStatus: 'FFMPEG_FAILED', errorMessage: 'No such filter' },
      steps: [],
      usage: { inputBytes: 1, outputBytes: 0, ffmpegStarted: true, ffmpegRunSeconds: 1 },
    }
    pod.end({ phase: 'Succeeded', containerStatuses: bothCompleted(JSON.stringify(result)) })
    await world.clock.advance(2_000)
    const row = await world.rowOf(commandId)
    expect(row).to.include({ errorStatus: 'FFMPEG_FAILED', errorMessage: 'No such filter' })
  })

  it('fails a command with the reason when its Job is refused for quota for too long', async () => {
    await world.stop()
    Object.assign(world, createWorld(directly, {}, { runner: { placeAllowanceSeconds: 600 } }))
    await world.start()
    await world.store.ensureAccount(account)
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
    const failed = world.stages.find(({ outcome }) => outcome === 'failed')
    expect(failed).to.include({ stage: 'schedule', outcome: 'failed' })
    expect(failed?.seconds).to.be.within(600, 640)
  })

  it('times the stage in which a start timed out, and the one in which it was lost', async () => {
    const before = world.stages.length
    const ended = () => world.stages.slice(before).filter(({ outcome }) => outcome !== 'ok')
    const podOf = async (id: string) => {
      await world.submit(id)
      await world.clock.runUntil(() => world.jobNames().includes(jobName(id, 1)), 5_000)
      return world.pod(jobName(id, 1))
    }
    await podOf(commandId)
    await world.clock.advance(610_000)
    expect((await world.rowOf(commandId)).errorStatus).to.equal('START_TIMEOUT')
    expect(ended()).to.have.length(1)
    expect(ended()[0]).to.include({ stage: 'schedule', outcome: 'failed' })
    const evicted = await podOf(second)
    await world.clock.advance(20_000)
    evicted.end({ reason: 'Evicted', message: 'The node was low on resource: memory' })
    await world.clock.advance(2_000)
    expect(ended()).to.have.length(2)
    expect(ended()[1]).to.include({ stage: 'schedule', outcome: 'lost' })
    expect(ended()[1]?.seconds).to.be.within(19, 23)
  })

  it('shows within 15 s that the Job of a command gets no pod', async () => {
    await world.submit(commandId)
    await world.clock.advance(15_000)
    expect(world.jobNames()).to.have.length(1)
    expect(world.status(resource)?.reason).to.equal('PodRefused')
  })

  it('creates one Job although the reply to its creation was lost', async () => {
    world.server.faults.next({ verb: 'create', kind: 'Job' }, 'lose-reply')
    await world.submit(commandId)
    await world.clock.advance(30_000)
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 1)])
  })

  it('the controller continues within seconds when the database is back after minutes', async () => {
    const pod = await world.run(commandId)
    world.outage.database = true
    pod.end({
      containerStatuses: [terminated('transfer', 44), terminated('ffmpeg', 137, 'OOMKilled')],
    })
    await world.clock.advance(600_000)
    world.outage.database = false
    await world.clock.advance(3_000)
    expect(await world.rowOf(commandId)).to.deep.include({ errorStatus: 'OUT_OF_MEMORY' })
  })

  it('the controller continues within seconds when the API server is back after minutes', async () => {
    const pod = await world.run(commandId, { vcpuCount: 4 })
    await world.submit(second, { vcpuCount: 4 })
    world.server.setDown(true)
    await world.succeed(commandId, pod.uid)
    await world.clock.advance(300_000)
    world.server.setDown(false)
    pod.complete()
    await world.clock.advance(40_000)
    expect(world.status(resource)?.state).to.equal('SUCCESS')
    expect(world.jobNames()).to.include(jobName(second, 1))
  })

  it('requests a new dispatch in the next generation when the resource is gone', async () => {
    await world.run(commandId)
    world.server.cluster.update('FfmpegCommand', namespace, resource, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    }))
    world.server.cluster.delete('FfmpegCommand', namespace, resource)
    await world.clock.advance(5_000)
    const [undispatched] = await world.store.claimUndispatched({
      limit: 10,
      liveLimit: 1000,
      lookAhead: 1000,
      leaseSeconds: 30,
      retries: true,
    })
    expect(undispatched).to.deep.include({ commandId, jobGeneration: 2 })
    expect(await world.rowOf(commandId)).to.deep.include({ status: 'PROCESSING', attempt: null })
  })
})

function bothCompleted(message = ''): object[] {
  return ['transfer', 'ffmpeg'].map((name) => ({
    name,
    restartCount: 0,
    ready: false,
    state: {
      terminated: { exitCode: 0, reason: 'Completed', ...(name === 'transfer' ? { message } : {}) },
    },
  }))
}
