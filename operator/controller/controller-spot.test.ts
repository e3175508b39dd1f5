import { expect } from 'chai'
import { jobName } from '../../common/domain/resource-names.ts'
import { commandId } from '../../testing/support/operator/snapshot.ts'
import { faults, hit } from './controller-crash.fixture.ts'
import { namespace, terminated } from './world-parts.fixture.ts'
import type { World } from './controller.fixture.ts'
import type { FakePod } from './world-parts.fixture.ts'

const lossesOnSpot = 6
const generations = Array.from({ length: lossesOnSpot + 1 }, (_, index) => index + 1)
const nameOf = (jobGeneration: number) => jobName(commandId, jobGeneration)
const runner = {
  profiles: { spot: { spot: { fallback: 'stable' } }, stable: {} },
  planProfiles: { small: 'spot' },
}

describe('controller, on nodes that the cluster may take at any time', () => {
  const profiles: (string | undefined)[] = []

  for (const fault of faults) {
    it(`brings a command through six losses to a Job of the other profile when each effect is hit by '${fault}'`, async () => {
      profiles.length = 0
      const { met, end } = await hit(null, fault, loseAllOnSpot, runner)
      expect(end).to.equal('SUCCESS null 7')
      expect(profiles).to.deep.equal([...Array<string>(lossesOnSpot).fill('spot'), 'stable'])
      expect(met).to.include('operator.attempt_lost')
      for (const point of met) {
        const outcome = await hit(point, fault, loseAllOnSpot, runner)
        expect({ point, end: outcome.end }).to.deep.equal({ point, end })
        expect(outcome.jobsMade, point).to.deep.equal(generations.map(nameOf))
      }
    })
  }

  async function loseAllOnSpot(world: World): Promise<string> {
    await world.submit(commandId)
    for (const jobGeneration of generations.slice(0, lossesOnSpot)) {
      const pod = await begin(world, jobGeneration)
      pod.end({
        conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }],
        containerStatuses: [terminated('transfer', 143), terminated('ffmpeg', 143)],
      })
      await world.clock.advance(10_000)
      expect(await world.rowOf(commandId)).to.include({ attempt: null, spotLosses: jobGeneration })
    }
    const last = await begin(world, lossesOnSpot + 1)
    await world.succeed(commandId, last.uid)
    last.complete()
    await world.clock.advance(10_000)
    profiles.push(...generations.map((jobGeneration) => made.get(nameOf(jobGeneration))))
    return commandId
  }

  const made = new Map<string, string | undefined>()

  /** The pod of a generation requests its command. */
  async function begin(world: World, jobGeneration: number): Promise<FakePod> {
    const name = nameOf(jobGeneration)
    await world.clock.runUntil(() => world.jobNames().includes(name), 120_000)
    const job = world.server.cluster.get('Job', namespace, name)
    made.set(name, job?.metadata.labels?.['cloudffmpeg.dev/profile'])
    const pod = await world.pod(name)
    const claim = await world.store.claimAttempt({ commandId, jobGeneration, podUid: pod.uid })
    expect(claim.kind).to.equal('assigned')
    await world.clock.advance(1_000)
    return pod
  }
})
