import { expect } from 'chai'
import { customResourceName, jobName } from '../../common/domain/resource-names.ts'
import { useWorld } from './use-world.fixture.ts'
import { namespace, terminated } from './world-parts.fixture.ts'
import { commandId } from '../../testing/support/operator/snapshot.ts'

const second = '0197a3f1-7c4e-7d11-9a55-0242ac120003'
const resource = customResourceName(commandId)

describe('controller', () => {
  const world = useWorld()

  it('brings a short command from its row to its end with six requests, none of them a read', async () => {
    const before = world.server.calls.length
    const callsOf = () =>
      world.server.calls
        .slice(before)
        .map(({ verb, kind, subresource }) => [verb, kind, subresource].filter(Boolean).join(' '))
    const pod = await world.run(commandId)
    await world.succeed(commandId, pod.uid)
    pod.complete()
    await world.clock.advance(2_000)

    expect(world.status(resource)).to.deep.include({ state: 'SUCCESS', reason: 'Succeeded' })
    expect(await world.rowOf(commandId)).to.deep.include({ mirrored: true, released: true })
    // The custom resource's own create, the sixth, is dispatch's.
    expect(callsOf()).to.deep.equal(['create Job', 'patch FfmpegCommand status', 'patch Job'])

    await world.clock.advance(120_000)
    expect(world.server.cluster.get('FfmpegCommand', namespace, resource)).to.equal(null)
    const swept = callsOf().filter((call) => !call.startsWith('watch') && !call.startsWith('list'))
    expect(swept.slice(3)).to.deep.equal(['patch FfmpegCommand', 'delete FfmpegCommand'])
  })

  it('shows why the second command of a full account waits, and starts it after the first', async () => {
    const pod = await world.run(commandId, { vcpuCount: 4 })
    await world.submit(second, { vcpuCount: 4 })
    await world.clock.advance(5_000)
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 1)])
    expect(world.status(customResourceName(second))).to.deep.include({
      state: 'QUEUED',
      reason: 'WaitingForQuota',
      message: 'Needs 4 vCPUs; the account uses 4 of its 4',
      queuePosition: 1,
    })

    await world.succeed(commandId, pod.uid)
    await world.clock.advance(1_000)
    expect(world.jobNames(), 'the quota is held until the pod has ended').to.have.length(1)
    pod.complete()
    await world.clock.advance(1_000)
    expect(world.jobNames()).to.include(jobName(second, 1))
  })

  it('fails a command whose container was killed for memory', async () => {
    const pod = await world.run(commandId)
    pod.end({
      containerStatuses: [terminated('transfer', 44), terminated('ffmpeg', 137, 'OOMKilled')],
    })
    await world.clock.advance(2_000)
    expect(world.status(resource)).to.deep.include({
      state: 'FAILED',
      errorStatus: 'OUT_OF_MEMORY',
    })
  })

  it('starts the next generation when the Job is deleted by hand, and refuses the old pod', async () => {
    const pod = await world.run(commandId)
    world.server.cluster.delete('Job', namespace, jobName(commandId, 1))
    await world.clock.advance(1_000)
    const [old] = world.server.cluster.list('Pod')
    if (old !== undefined) world.server.cluster.finishGrace('Pod', namespace, old.metadata.name)
    await world.clock.advance(2_000)
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 2)])
    const claim = await world.store.claimAttempt({ commandId, jobGeneration: 1, podUid: pod.uid })
    expect(claim.kind).to.equal('lost')
  })

  it('cancels once when the object is deleted, and lets it go when the pod is gone', async () => {
    const pod = await world.run(commandId)
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

  it('continues a command that an uninstallation left, and cancels it when it is deleted', async () => {
    const pod = await world.run(commandId)
    await world.stop()
    const { cluster } = world.server
    cluster.delete('Job', namespace, jobName(commandId, 1))
    await world.clock.advance(1_000)
    cluster.finishGrace('Pod', namespace, pod.name)
    cluster.update('FfmpegCommand', namespace, resource, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    }))

    await world.start()
    await world.clock.advance(3_000)
    const metadata = cluster.get('FfmpegCommand', namespace, resource)?.metadata
    expect(metadata?.finalizers).to.deep.equal(['cloudffmpeg.dev/record'])
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 2)])
    cluster.delete('FfmpegCommand', namespace, resource)
    await world.clock.advance(3_000)
    expect(await world.rowOf(commandId)).to.include({ status: 'FAILED', errorStatus: 'CANCELLED' })
    const { accountId } = await world.rowOf(commandId)
    expect((await world.store.findCommand(accountId, commandId))?.cancelledBy).to.equal(
      'deletion of the object',
    )
  })

  it('sweeps the objects of a failed attempt', async () => {
    const pod = await world.run(commandId)
    pod.end({ reason: 'DeadlineExceeded' })
    await world.clock.advance(130_000)
    expect(world.swept).to.deep.equal([
      `public/0197a0c2-0000-7000-8000-000000000001/${commandId}/${pod.uid}/`,
    ])
  })
})
