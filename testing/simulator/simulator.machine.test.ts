import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { failpointNames } from '../../common/runtime/effects.ts'
import { scaled } from '../scale.ts'
import { crashPoints, runSeries } from './series.ts'
import { simulate } from './simulation.ts'
import { apiStalls } from './faults/fault-plan.ts'
import type { SimulationResult } from './simulation.ts'

/** The first 100 meet every crash point before and after its effect. */
const seeds = scaled({ smoke: 100, full: 200 })
const repeated = [7, 8]

describe('the simulated control plane', function () {
  // Hours of virtual time.
  this.timeout(900_000)
  let runs: SimulationResult[] = []
  let repeats: SimulationResult[] = []

  before(async () => {
    const all = Array.from({ length: seeds }, (_, index) => index + 1)
    const done = await runSeries([...all, ...repeated])
    runs = all.flatMap((seed) => done.find((run) => run.seed === seed) ?? [])
    repeats = done.filter((run) => !runs.includes(run))
  })

  it(`keeps its promises in ${seeds} runs full of faults`, () => {
    const failed = runs.filter(({ violations }) => violations.length > 0)
    expect(failed.map(({ report }) => report).join('\n\n')).to.equal('')
    expect(runs.map(({ seed }) => seed)).to.have.length(seeds)
  })

  it('a simulation has at least 20 commands and 5 faults', () => {
    const poor = runs.filter(({ commands, faults }) => commands < 20 || faults.length < 5)
    expect(poor.map(({ seed }) => seed)).to.deep.equal([])
  })

  it('crashes before and after every failpoint of its processes', () => {
    const met = new Set(runs.flatMap(({ crashes }) => crashes))
    const points = crashPoints.map(({ name, action }) => `${name}=${action}`)
    expect(points.filter((point) => !met.has(point))).to.deep.equal([])
  })

  it('runs a seed the same way each time', () => {
    for (const seed of repeated) {
      const [first, second] = [runs, repeats].map((of) => of.find((run) => run.seed === seed))
      expect(second?.digest).to.be.a('string').that.equals(first?.digest)
    }
    expect(new Set(runs.map(({ digest }) => digest)).size).to.equal(seeds)
  })
})

describe('failpoints', () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const sources = globSync('{api-server,operator,runner-image,common}/**/*.ts', { cwd: root })
    .filter((file) => !/\.(test|fixture)\.ts$|common\/runtime\/effects\.ts$/.test(file))
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n')

  it('uses every declared failpoint name', () => {
    const unused = failpointNames.filter((name) => !sources.includes(`'${name}'`))
    expect(unused).to.deep.equal([])
  })
})

/** The chart's default values. */
const leaseSeconds = { leaseSeconds: 15, renewSeconds: 2, stopSeconds: 10 }
const stalledSeeds = [1, 2, 3, 4, 5, 6]

describe('the control plane under an API server that stalls for 20 s at a time', () => {
  it('the control plane restarts no operator, has at most one further term for each stall, and keeps its promises', async () => {
    let stalls = 0
    for (const seed of stalledSeeds) {
      const certain = [apiStalls, apiStalls]
      const run = await simulate({ seed, leaseSeconds, faults: 0, certain })
      expect(run.report).to.equal('')
      expect(run.operatorRestarts, `seed ${seed}`).to.equal(0)
      expect(run.terms, `seed ${seed}`).to.be.at.most(1 + run.faults.length)
      stalls += run.faults.length
    }
    expect(stalls).to.be.at.least(stalledSeeds.length + 3)
  })
})
