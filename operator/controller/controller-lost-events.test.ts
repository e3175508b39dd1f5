import { expect } from 'chai'
import { customResourceName, jobName } from '../../common/domain/resource-names.ts'
import { useWorld } from './use-world.fixture.ts'
import { namespace } from './world-parts.fixture.ts'
import { commandId } from '../../testing/support/operator/snapshot.ts'

const resource = customResourceName(commandId)
const job = jobName(commandId, 1)

/** A change whose event was lost is found when it matters, before the next LIST. */
describe('controller, when an event is lost', () => {
  const world = useWorld()

  function cancel(): void {
    world.server.cluster.update('FfmpegCommand', namespace, resource, (object) => ({
      ...object,
      spec: { ...object.spec, cancel: true },
    }))
  }

  function statusPatches(): number {
    return world.server.calls.filter(({ verb, name }) => verb === 'patch' && name === resource)
      .length
  }

  it('releases the quota when its own delete shows that the Job is gone', async () => {
    const pod = await world.run(commandId)
    world.server.faults.nextEvent({ kind: 'Job', type: 'DELETED' }, 'drop')
    cancel()
    await world.clock.advance(2_000)
    world.server.cluster.finishGrace('Pod', namespace, pod.name)
    await world.clock.advance(15_000)
    expect(await world.rowOf(commandId)).to.include({ errorStatus: 'CANCELLED', released: true })
  })

  it('cancels a command after one conflict of its status when the event of the cancel was lost', async () => {
    const pod = await world.run(commandId)
    world.server.faults.nextEvent({ kind: 'FfmpegCommand', type: 'MODIFIED' }, 'drop')
    cancel()
    const before = statusPatches()
    await world.store.storeProgress({
      commandId,
      attempt: pod.uid,
      progressPercent: 50,
      steps: [],
      logs: [],
      status: 'PROCESSING',
      stage: 'FFMPEG_PROCESSING',
    })
    await world.clock.advance(15_000)
    expect((await world.rowOf(commandId)).errorStatus).to.equal('CANCELLED')
    expect(statusPatches() - before).to.be.within(2, 3)
  })

  it('fences the first pod when its end was missed and the next pod appears', async () => {
    const first = await world.run(commandId)
    world.server.faults.nextEvent({ kind: 'Pod', type: 'DELETED' }, 'drop')
    world.server.cluster.delete('Pod', namespace, first.name, { gracePeriodSeconds: 0 })
    await world.clock.advance(10_000)
    await world.pod(job, 'bbbbb')
    await world.clock.advance(2_000)
    const { attempt, lostAttempts } = await world.rowOf(commandId)
    expect({ attempt, lostAttempts }).to.deep.equal({ attempt: null, lostAttempts: [first.uid] })
  })

  it('releases the quota within two minutes when the end of the pod was missed', async () => {
    const pod = await world.run(commandId)
    world.server.faults.nextEvent({ kind: 'Pod' }, 'drop', 2)
    await world.succeed(commandId, pod.uid)
    pod.complete()
    world.server.cluster.delete('Pod', namespace, pod.name)
    world.server.cluster.delete('Job', namespace, job)
    await world.clock.advance(120_000)
    expect((await world.rowOf(commandId)).released).to.equal(true)
  })

  it('releases the quota of a command that ended and lost its resource while no replica led', async () => {
    const pod = await world.run(commandId)
    await world.stop()
    await world.succeed(commandId, pod.uid)
    await world.store.markMirrored(commandId, (await world.rowOf(commandId)).version)
    for (const kind of ['FfmpegCommand', 'Job', 'Pod']) {
      for (const { metadata } of world.server.cluster.list(kind)) {
        world.server.cluster.update(kind, namespace, metadata.name, (object) => ({
          ...object,
          metadata: { ...object.metadata, finalizers: [] },
        }))
        const now = { gracePeriodSeconds: 0 }
        world.server.cluster.delete(kind, namespace, metadata.name, now)
      }
    }
    await world.start()
    await world.clock.advance(5_000)
    expect((await world.rowOf(commandId)).released).to.equal(true)
  })

  it('removes a resource that a late request of dispatch made again after the end', async () => {
    const pod = await world.run(commandId)
    const object = world.server.cluster.get('FfmpegCommand', namespace, resource)
    cancel()
    await world.clock.advance(1_000)
    world.server.cluster.finishGrace('Pod', namespace, pod.name)
    await world.clock.advance(120_000)
    expect(world.server.cluster.get('FfmpegCommand', namespace, resource)).to.equal(null)
    const { name, labels, finalizers } = object?.metadata ?? {}
    const again = { metadata: { name, labels, finalizers }, spec: object?.spec }
    world.server.cluster.create('FfmpegCommand', namespace, again)
    await world.clock.advance(5_000)
    expect(world.server.cluster.get('FfmpegCommand', namespace, resource)).to.equal(null)
    expect(world.jobNames()).to.deep.equal([])
  })

  it('the controller does not write a status from a cache that is older than its own last write', async () => {
    const refusal = { status: 403, reason: 'Forbidden', message: 'exceeded quota: pods' }
    world.server.faults.next({ verb: 'create', kind: 'Job' }, { answer: refusal }, Infinity)
    await world.submit(commandId)
    await world.clock.advance(100)
    world.server.silenceWatches('FfmpegCommand')
    await world.clock.advance(2_000)
    cancel()
    const before = statusPatches()
    await world.clock.advance(10_000)
    expect(world.status(resource)?.errorStatus).to.equal('CANCELLED')
    expect(statusPatches() - before).to.equal(1)
  })
})
