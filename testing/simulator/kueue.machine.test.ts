import { expect } from 'chai'
import { scaled } from '../scale.ts'
import { evictedByQueue } from '../../common/domain/failures.ts'
import { kueueEvicts } from './faults/fault-plan.ts'
import { queuedPoints, runSeries } from './series.ts'
import { simulate } from './simulation.ts'
import type { SimulationResult } from './simulation.ts'

const seeds = scaled({ smoke: 48, full: 240 })

describe('Jobs that wait in queues of Kueue', function () {
  this.timeout(900_000)
  let runs: SimulationResult[] = []

  before(async () => {
    const all = Array.from({ length: seeds }, (_, index) => index + 1)
    runs = await runSeries(all, 'queued')
  })

  it(`keep all promises in ${seeds} runs with evictions and other faults`, () => {
    const failed = runs.filter(({ violations }) => violations.length > 0)
    expect(failed.map(({ report }) => report).join('\n\n')).to.equal('')
    const evictions = runs.flatMap(({ faults }) => faults.filter((name) => name === kueueEvicts))
    expect(evictions.length).to.be.at.least(2 * seeds)
    const evicted = runs.flatMap(({ losses }) => losses.filter((loss) => loss === evictedByQueue))
    console.log(`      ${evictions.length} evictions, ${evicted.length} attempts lost by them`)
    expect(evicted.length).to.be.at.least(seeds)
  })

  it('meet a crash before and after each effect that suspensions lead to', () => {
    const met = new Set(runs.flatMap(({ crashes }) => crashes))
    const points = queuedPoints.map(({ name, action }) => `${name}=${action}`)
    expect(points.filter((point) => !met.has(point))).to.deep.equal([])
  })

  it('lose attempts by evictions alone, where nothing else happens', async () => {
    const losses = new Set<string>()
    for (const seed of [1, 2, 3, 4]) {
      const certain = Array.from({ length: 8 }, () => kueueEvicts)
      const run = await simulate({ seed, faults: 0, certain, kueue: { quotaVcpus: 5 } })
      expect(run.report).to.equal('')
      for (const reason of run.losses) losses.add(reason)
    }
    // The second is that of commands whose runner crashes by itself.
    expect([...losses]).to.have.members([evictedByQueue, 'UnexpectedError'])
  })

  it('have no start timeout after 20 minutes in a queue that stands still', async () => {
    for (const seed of [1, 2, 3]) {
      const kueue = { quotaVcpus: 100, stoppedMs: 20 * 60_000 }
      const run = await simulate({ seed, faults: 0, kueue })
      expect(run.report).to.equal('')
      expect(run.virtualSeconds).to.be.above(20 * 60)
    }
  })
})
