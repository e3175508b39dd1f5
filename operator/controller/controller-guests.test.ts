import { expect } from 'chai'
import {
  commandKind,
  customResourceName,
  jobName,
  labels,
} from '../../common/domain/resource-names.ts'
import { newId } from '../../testing/store-contract/fixtures.ts'
import { useWorld } from './use-world.fixture.ts'
import { guest, namespace } from './world-parts.fixture.ts'

describe('controller, for objects in another watched namespace', () => {
  const world = useWorld()

  const apply = (name: string, spec: object = {}) =>
    world.server.cluster.create('FfmpegCommand', guest, {
      metadata: { name },
      spec: { commands: ['-i {{in_1}} {{out_1}}'], ...inputs, ...spec },
    }).metadata

  it("the controller runs a guest's object by a Job beside it, and names it in its status and Events", async () => {
    const { uid } = apply('thumbnail')
    const pod = await world.runPod(uid, guest)
    const job = world.server.cluster.get('Job', guest, jobName(uid, 1))
    expect(job?.metadata.ownerReferences?.[0]).to.include({ kind: commandKind, uid })
    await world.succeed(uid, pod.uid)
    pod.complete()
    await world.clock.advance(5_000)
    const object = world.server.cluster.get('FfmpegCommand', guest, 'thumbnail')
    expect(object?.status).to.include({ state: 'SUCCESS' })
    expect(world.events).to.include.members(['JobCreated', 'Succeeded'])
    expect(world.server.cluster.list('Job').map(({ metadata: at }) => at.namespace)).to.deep.equal([
      guest,
    ])
  })

  it('the controller runs two objects of one name, each in its namespace', async () => {
    const there = apply('same').uid
    const here = world.server.cluster.create('FfmpegCommand', namespace, {
      metadata: { name: 'same' },
      spec: { commands: ['-i {{in_1}} {{out_1}}'], ...inputs },
    }).metadata.uid
    await world.runPod(there, guest)
    await world.runPod(here)
    await world.clock.advance(10_000)
    const state = (at: string) => world.server.cluster.get('FfmpegCommand', at, 'same')?.status
    expect(state(guest)).to.include({ state: 'PROCESSING' })
    expect(state(namespace)).to.include({ state: 'PROCESSING' })
    world.server.cluster.update('FfmpegCommand', guest, 'same', (object) => ({
      ...object,
      spec: { ...object.spec, cancel: true },
    }))
    await world.clock.advance(60_000)
    expect(state(guest)).to.include({ state: 'FAILED' })
    expect(state(namespace)).to.include({ state: 'PROCESSING' })
  })

  it('the controller ends a command whose object in another namespace is deleted while it runs', async () => {
    const { uid } = apply('gone')
    const pod = await world.runPod(uid, guest)
    world.server.cluster.delete('FfmpegCommand', guest, 'gone')
    await world.clock.advance(2_000)
    expect(await world.rowOf(uid)).to.include({ status: 'FAILED', errorStatus: 'CANCELLED' })
    world.server.cluster.finishGrace('Pod', guest, pod.name)
    await world.clock.advance(6_000)
    expect(await world.rowOf(uid)).to.include({ released: true })
    expect(world.server.cluster.get('FfmpegCommand', guest, 'gone')).to.equal(null)
  })

  it("the controller never takes a guest's object, Job or pod for one of a command of the service", async () => {
    const commandId = newId()
    await world.submit(commandId)
    const pod = await world.runPod(commandId)
    const forged = {
      [labels.commandId]: commandId,
      [labels.jobGeneration]: '1',
      [labels.managedBy]: 'cloud-ffmpeg',
    }
    world.server.cluster.create('FfmpegCommand', guest, {
      metadata: { name: customResourceName(commandId) },
      spec: { commandId, cancel: true, commands: ['-i {{in_1}} {{out_1}}'], ...inputs },
    })
    world.server.cluster.create('Job', guest, {
      metadata: { name: jobName(commandId, 1), labels: forged },
      spec: { template: { metadata: {}, spec: { containers: [] } } },
    })
    world.server.cluster.create('Pod', guest, {
      metadata: { name: `${jobName(commandId, 1)}-zzzzz`, labels: forged },
      spec: { nodeName: 'node-1' },
    })
    world.server.cluster.updateStatus('Pod', guest, `${jobName(commandId, 1)}-zzzzz`, () => ({
      phase: 'Failed',
    }))
    await world.clock.advance(60_000)
    expect(await world.rowOf(commandId)).to.deep.include({
      attempt: pod.uid,
      cancelRequested: false,
      lostAttempts: [],
    })
    await world.succeed(commandId, pod.uid)
    pod.complete()
    await world.clock.advance(10_000)
    expect(await world.rowOf(commandId)).to.include({ status: 'SUCCESS', released: true })
  })
})

const inputs = {
  account: 'default',
  inputFiles: { in_1: 'https://media.example/a.mp4' },
  outputFiles: { out_1: 'b.mp4' },
  vcpuCount: 1,
}
