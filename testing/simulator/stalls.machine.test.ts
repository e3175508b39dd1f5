import { expect } from 'chai'
import { apiStalls } from './faults/fault-plan.ts'
import { simulate } from './simulation.ts'

/** The chart's default values. */
const leaseSeconds = { leaseSeconds: 15, renewSeconds: 2, stopSeconds: 10 }
const seeds = [1, 2, 3, 4, 5, 6]

describe('the control plane under an API server that stalls for 20 s at a time', function () {
  this.timeout(120_000)

  it('restarts no operator, has at most one further term for each stall, and keeps its promises', async () => {
    let stalls = 0
    for (const seed of seeds) {
      const certain = [apiStalls, apiStalls]
      const run = await simulate({ seed, leaseSeconds, faults: 0, certain })
      expect(run.report).to.equal('')
      expect(run.operatorRestarts, `seed ${seed}`).to.equal(0)
      expect(run.terms, `seed ${seed}`).to.be.at.most(1 + run.faults.length)
      stalls += run.faults.length
    }
    expect(stalls).to.be.at.least(seeds.length + 3)
  })
})
