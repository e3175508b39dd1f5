import { expect } from 'chai'
import { runSeries } from './series.ts'
import type { SimulationResult } from './simulation.ts'

const seeds = Array.from({ length: 20 }, (_, index) => index + 1)
const repeated = 7

/** The first of the seeds that `simulator.machine.test.ts` runs. */
describe('twenty runs of the simulated control plane', () => {
  let runs: SimulationResult[] = []
  let again: SimulationResult | undefined

  before(async () => {
    const done = await runSeries([...seeds, repeated])
    runs = seeds.flatMap((seed) => done.find((run) => run.seed === seed) ?? [])
    again = done.find((run) => run.seed === repeated && !runs.includes(run))
  })

  it('the runs keep every promise while processes crash, requests fail and pods are lost', () => {
    expect(runs.map(({ seed }) => seed)).to.deep.equal(seeds)
    const failed = runs.filter(({ violations }) => violations.length > 0)
    expect(failed.map(({ report }) => report).join('\n\n')).to.equal('')
  })

  it('each run crashes a process', () => {
    expect(runs.filter(({ crashes }) => crashes.length === 0)).to.deep.equal([])
  })

  it('a seed runs the same way each time', () => {
    const first = runs.find(({ seed }) => seed === repeated)
    expect(again?.digest).to.be.a('string').that.equals(first?.digest)
  })
})
