import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { commandId, job, pod } from '../../testing/support/operator/snapshot.ts'
import { createQuotaDifferences } from './quota-differences.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'

describe('differences between what the database counts and what the cluster runs', () => {
  const world: { jobs: JobFacts[]; pods: PodFacts[] } = { jobs: [], pods: [] }
  const none = { unused: 0, uncounted: 0 }
  const start = () => {
    Object.assign(world, { jobs: [], pods: [] })
    const clock = createVirtualClock()
    const differences = createQuotaDifferences(
      { jobs: { list: () => world.jobs }, pods: { list: () => world.pods } },
      clock,
    )
    return { clock, differences }
  }

  it('differences count a command that holds vCPUs and has had no Job for two minutes', async () => {
    const { clock, differences } = start()
    expect(differences([commandId])).to.deep.equal(none)
    await clock.advance(119_000)
    expect(differences([commandId])).to.deep.equal(none)
    await clock.advance(1_000)
    expect(differences([commandId])).to.deep.equal({ unused: 1, uncounted: 0 })
    world.jobs = [job({})]
    expect(differences([commandId])).to.deep.equal(none)
  })

  it('differences count a command that runs and holds nothing, by its Job or its pod alone', async () => {
    for (const running of [{ jobs: [job({})] }, { pods: [pod({ phase: 'Running' })] }]) {
      const { clock, differences } = start()
      Object.assign(world, running)
      differences([])
      await clock.advance(120_000)
      expect(differences([])).to.deep.equal({ unused: 0, uncounted: 1 })
      expect(differences([commandId])).to.deep.equal(none)
    }
  })

  it('differences do not count a command whose Job is suspended: it holds vCPUs of its account', async () => {
    const { clock, differences } = start()
    world.jobs = [job({ queued: true, suspended: true })]
    differences([commandId])
    await clock.advance(120_000)
    expect(differences([commandId])).to.deep.equal(none)
  })

  it('differences do not count Jobs that have finished, nor pods that have ended', async () => {
    const { clock, differences } = start()
    world.jobs = [job({ finished: true })]
    world.pods = [pod({ phase: 'Failed' })]
    differences([])
    await clock.advance(120_000)
    expect(differences([])).to.deep.equal(none)
  })
})
