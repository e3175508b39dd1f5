import { expect } from 'chai'
import { customResourceName, jobName } from '../../common/domain/resource-names.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { commandId } from '../../testing/support/operator/snapshot.ts'
import { jobUidLabel } from '../kueue/workloads.ts'
import { createWorld } from './controller.fixture.ts'
import { namespace } from './world-parts.fixture.ts'
import type { World } from './controller.fixture.ts'

const kueue = {
  queueName: 'cloud-ffmpeg-{plan}',
  priorityClasses: { low: null, normal: null, high: null },
  maxEvictions: 10,
}
const unexplained = 'The Job is suspended until Kueue admits it'
const needsFour = 'insufficient unused quota for cpu in flavor default, 4 more needed'
const needsTwo = 'insufficient unused quota for cpu in flavor default, 2 more needed'

describe('controller, for a command whose Job waits in a queue of Kueue', () => {
  let world: World
  beforeEach(async () => {
    world = createWorld(directly, {}, { runner: { kueue } })
    await world.start()
  })
  afterEach(() => world.stop())

  const shown = () => world.status(customResourceName(commandId))
  const events = () => world.notes.filter((_, at) => world.events[at] === 'WaitingForKueue')

  function kueueSays(message: string): void {
    const job = world.server.cluster.get('Job', namespace, jobName(commandId, 1))
    if (world.server.cluster.get('Workload', namespace, 'job-x') === null) {
      world.server.cluster.create('Workload', namespace, {
        metadata: { name: 'job-x', labels: { [jobUidLabel]: job?.metadata.uid } },
        spec: {},
      })
    }
    world.server.cluster.updateStatus('Workload', namespace, 'job-x', () => ({
      conditions: [{ type: 'QuotaReserved', status: 'False', reason: 'Pending', message }],
    }))
  }

  async function waits(form: 'inline' | 'reference' = 'inline'): Promise<void> {
    await world.submit(commandId, {}, form)
    await world.clock.runUntil(() => world.jobNames().length === 1, 5_000)
    kueueSays(needsFour)
    await world.clock.advance(4_000)
    expect(shown()?.message?.startsWith(unexplained)).to.equal(true)
    await world.clock.advance(20_000)
  }

  it('shows what the Workload says in its status and in one more Event', async () => {
    await waits()
    expect(shown()).to.include({ reason: 'WaitingForKueue', message: needsFour })
    const admitted = shown()?.conditions?.find(({ type }) => type === 'Admitted')
    expect(admitted).to.include({ reason: 'WaitingForKueue', message: needsFour })
    kueueSays(needsTwo)
    await world.clock.advance(80_000)
    expect(shown()?.message).to.equal(needsTwo)
    expect(events()).to.deep.equal([unexplained, needsFour])
  })

  for (const form of ['inline', 'reference'] as const) {
    it(`shows it on, without another Event, when the leader changes (${form})`, async () => {
      await waits(form)
      const message = shown()?.message
      expect(message).to.include(needsFour)
      const writes = () =>
        world.server.calls.filter(({ verb, subresource }) => {
          return verb === 'patch' && subresource === 'status'
        }).length
      const before = writes()
      await world.stop()
      await world.start()
      await world.clock.advance(60_000)
      expect(shown()?.message).to.equal(message)
      expect(writes()).to.equal(before)
      expect(events()).to.have.length(2)
    })
  }

  it('knows an eviction that Kueue took back within a second of the claim', async () => {
    await world.submit(commandId)
    const name = jobName(commandId, 1)
    await world.clock.runUntil(() => world.jobNames().includes(name), 5_000)
    const { cluster } = world.server
    const suspend = (isSuspended: boolean) =>
      cluster.update('Job', namespace, name, (job) => ({
        ...job,
        spec: { ...job.spec, suspend: isSuspended },
      }))
    const begin = (startTime?: string) =>
      cluster.updateStatus('Job', namespace, name, (status) => ({ ...status, startTime }))
    suspend(false)
    begin('2026-05-01T10:00:00Z')
    const { uid: podUid, name: podName } = await world.pod(name)
    await world.clock.advance(10_000)
    await world.store.claimAttempt({ commandId, round: 1, podUid })
    world.rowChanged(commandId, 'claimed')
    await world.clock.advance(100)
    suspend(true)
    await world.clock.advance(50)
    cluster.delete('Pod', namespace, podName)
    begin()
    await world.clock.advance(100)
    suspend(false)
    begin('2026-05-01T10:00:11Z')
    await world.clock.advance(100)
    cluster.finishGrace('Pod', namespace, podName)
    await world.clock.advance(5_000)
    expect(await world.rowOf(commandId)).to.deep.include({
      evictions: 1,
      round: 1,
      lostAttempts: [podUid],
    })
  })

  it('shows only that it waits when the API server refuses its Workload', async () => {
    const answer = { status: 403, reason: 'Forbidden' }
    world.server.faults.next({ kind: 'Workload' }, { answer }, 100)
    await waits()
    expect(shown()).to.include({ reason: 'WaitingForKueue', message: unexplained })
    expect(events()).to.deep.equal([unexplained])
  })
})
