import { expect } from 'chai'
import { customResourceName, jobName } from '../../common/domain/resource-names.ts'
import { requestDigest } from '../../common/kubernetes/request-digest.ts'
import { newCommand, source } from '../../testing/store-contract/fixtures.ts'
import { commandId } from '../../testing/support/operator/snapshot.ts'
import { useWorld } from './use-world.fixture.ts'
import { namespace } from './world-parts.fixture.ts'

const name = customResourceName(commandId)

describe('controller, for custom resources that refer to their request', () => {
  const world = useWorld()

  it('runs the request of the row', async () => {
    await world.submit(commandId, {}, 'reference')
    const pod = await world.runPod(commandId)
    await world.succeed(commandId, pod.uid)
    pod.complete()
    await world.clock.advance(2_000)
    expect(world.status(name)?.state).to.equal('SUCCESS')
    expect(world.jobNames()).to.deep.equal([jobName(commandId, 1)])
  })

  it('cancels the command when the object says `cancel`', async () => {
    await world.submit(commandId, {}, 'reference')
    world.server.cluster.update('FfmpegCommand', namespace, name, (object) => ({
      ...object,
      spec: { ...object.spec, cancel: true },
    }))
    await world.clock.advance(5_000)
    expect(await world.rowOf(commandId)).to.include({ errorStatus: 'CANCELLED' })
    expect(world.status(name)?.state).to.equal('FAILED')
  })

  it('adopts an object of which dispatch has not recorded the UID, only if it has the digest of the row', async () => {
    await world.submit(commandId, {}, 'reference')
    await world.clock.advance(5_000)
    expect(await world.rowOf(commandId)).to.deep.include({ admitted: true })
    const other = '0197a3f1-7c4e-7d11-9a55-0242ac120009'
    const { accountId } = await world.rowOf(commandId)
    await world.store.insertCommands([{ ...newCommand(accountId), commandId: other }])
    await reference(other, '0'.repeat(64))
    await world.clock.advance(5_000)
    expect(world.status(customResourceName(other))).to.include({ reason: 'NotOurs' })
    expect(await world.rowOf(other)).to.include({ resourceUid: null })
  })

  it('shows that the record is lost, with an Event, and lets the object be deleted', async () => {
    await reference(commandId, requestDigest(source).sha256)
    await world.clock.advance(5_000)
    expect(await world.store.findForReconcile(commandId)).to.equal(null)
    expect(world.status(name)).to.include({ state: 'FAILED', reason: 'RecordLost' })
    expect(world.status(name)?.message).to.match(/^The database has no record of this command/)
    expect(world.events).to.deep.equal(['RecordLost'])
    const version = world.server.cluster.get('FfmpegCommand', namespace, name)?.metadata
    await world.clock.advance(60_000)
    const later = world.server.cluster.get('FfmpegCommand', namespace, name)?.metadata
    expect(later?.resourceVersion).to.equal(version?.resourceVersion)
    world.server.cluster.delete('FfmpegCommand', namespace, name)
    await world.clock.advance(5_000)
    expect(world.server.cluster.get('FfmpegCommand', namespace, name)).to.equal(null)
  })

  it('keeps the end that an object shows when its record is lost', async () => {
    await world.stop()
    await reference(commandId, requestDigest(source).sha256)
    world.server.cluster.updateStatus('FfmpegCommand', namespace, name, () => ({
      state: 'SUCCESS',
      reason: 'Succeeded',
      outputs: { count: 1, bytes: 10 },
    }))
    await world.start()
    await world.clock.advance(60_000)
    expect(world.status(name)).to.include({ state: 'SUCCESS', reason: 'Succeeded' })
    expect(await world.store.findForReconcile(commandId)).to.equal(null)
  })

  function reference(id: string, sha256: string): Promise<void> {
    return world.dispatched({
      commandId: id,
      account: 'acme',
      request: { ...requestDigest(source), sha256 },
      vcpuCount: 2,
      maxRunSeconds: 60,
      private: false,
    })
  }
})
