import { expect } from 'chai'
import { commitOf, failed } from '../../testing/store-contract/fixtures.ts'
import { planWith } from '../../testing/support/plans.ts'
import { pod } from '../../testing/support/operator/snapshot.ts'
import { account, admissionWorld, other } from './admission.fixture.ts'

const plans = {
  small: planWith({ vcpuPerCommand: 16, vcpuTotal: null }),
  free: planWith({ vcpuTotal: 4, fileJobs: 2 }),
}
/** The chart's defaults. */
const defaults = { liveJobs: 500, liveFileJobs: 32, reservedShare: 0.1 }
const scheduled = () => [pod()]

async function secondsUntil(
  { admitted, pass, clock }: ReturnType<typeof admissionWorld>,
  commandId: string,
): Promise<number> {
  for (let seconds = 0; seconds < 3_600; seconds += 1) {
    await clock.advance(1_000)
    await pass()
    if (admitted.includes(commandId)) return seconds + 1
  }
  return Infinity
}

describe('admission beside an account with a long queue', () => {
  for (const [limit, settings] of [
    ['the vCPUs of the cluster', { ...defaults, capacityVcpus: 100 }],
    ['the limit of live Jobs', defaults],
  ] as const) {
    it(`starts the command of an account of late within 2 s when 1,000 hour-long commands fill ${limit}`, async () => {
      const world = admissionWorld(settings, { plans, podsOf: scheduled })
      await world.submitEnded('earlier', 16, other)
      for (let index = 0; index < 1_000; index += 1) await world.submit(`a${index}`, 1)
      await world.passes(60)
      const before = world.admitted.length
      await world.passes(5)
      expect(world.admitted).to.have.length(before)
      await world.submit('b', 16, other)
      expect(await secondsUntil(world, 'b')).to.be.at.most(2)
    })
  }

  it('runs no more than two of 240 slow files of an account on the plan free, and commands beside them', async () => {
    const world = admissionWorld(defaults, { plans, podsOf: scheduled })
    const free = { ...account, plan: 'free' }
    for (let index = 0; index < 240; index += 1) await world.storeFile(`f${index}`, free)
    await world.submit('own', 4, free)
    await world.submit('b', 4, other)
    await world.passes(30)
    expect(world.admitted).to.have.members(['f0', 'f1', 'own', 'b'])
  })

  it('uses no more than the capacity when two leaders admit at once', async () => {
    const settings = { ...defaults, capacityVcpus: 20, reservedShare: 0 }
    const world = admissionWorld(settings, { plans, podsOf: scheduled })
    const leaders = [world.admission, world.leader()]
    for (let index = 0; index < 40; index += 1) {
      await world.submit(`${index}`, 1 + (index % 3), {
        accountId: `a${index % 8}`,
        name: `acme-${index % 8}`,
        plan: 'small',
      })
    }
    for (let second = 0; second < 5; second += 1) {
      await Promise.all(leaders.map((leader) => world.pass(leader)))
      await world.clock.advance(1_000)
    }
    const { ledgerVcpus } = await world.store.gauges()
    expect(ledgerVcpus).to.be.within(18, 20)
    expect(new Set(world.admitted).size).to.equal(world.admitted.length)
  })

  it('keeps the backlog out of the scheduler when the pods show that the cluster is full', async () => {
    const nodeVcpus = 100
    const scheduled: string[] = []
    const podsOf = (commandId: string) => {
      if (scheduled.length < nodeVcpus && !scheduled.includes(commandId)) scheduled.push(commandId)
      const isScheduled = scheduled.includes(commandId)
      return [
        pod({
          uid: commandId,
          node: isScheduled ? 'node-1' : null,
          unschedulable: isScheduled ? null : 'Insufficient cpu',
        }),
      ]
    }
    const world = admissionWorld(defaults, { plans, podsOf })
    for (let index = 0; index < 1_000; index += 1) await world.submit(`a${index}`, 1)
    await world.passes(120)
    expect(world.admitted.length).to.be.within(nodeVcpus, nodeVcpus + 64)
    expect(world.admission.reason('a', 1)?.reason).to.equal('WaitingForCapacity')
  })

  it('runs what fits beside a command that fits nowhere, under two leaders', async () => {
    const nodeVcpus = 20
    const started = new Map<string, number>()
    const podsOf = (commandId: string) => {
      const hasRoom = commandId !== 'odd' && started.size < nodeVcpus
      if (!started.has(commandId) && hasRoom) started.set(commandId, world.clock.monotonicMs())
      const isScheduled = started.has(commandId)
      return [
        pod({
          uid: commandId,
          node: isScheduled ? 'node-1' : null,
          unschedulable: isScheduled ? null : 'Insufficient cpu',
        }),
      ]
    }
    const world = admissionWorld(defaults, { plans, podsOf })
    const leaders = [world.admission, world.leader()]
    await world.submit('odd', 16)
    const fitting = Array.from({ length: 1_000 }, (_, index) => `b${index}`)
    for (const id of fitting) await world.submit(id, 1)
    let ended = 0
    for (let second = 0; second < 600 && ended < fitting.length; second += 1) {
      await Promise.all(leaders.map((leader) => world.pass(leader)))
      await world.clock.advance(1_000)
      for (const [id, sinceMs] of started) {
        if (world.clock.monotonicMs() - sinceMs < 5_000) continue
        await world.store.commitOutcome(commitOf(id, null, failed('CANCELLED')))
        await world.store.releaseQuota(id)
        started.delete(id)
        ended += 1
      }
    }
    expect(ended).to.equal(fitting.length)
    expect((await world.store.findForReconcile('odd'))?.status).to.equal('QUEUED')
  })
})
