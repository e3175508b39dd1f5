import { expect } from 'chai'
import { scaled } from '../scale.ts'
import { runSeries, warmPoints } from './series.ts'
import { simulate } from './simulation.ts'
import type { SimulationResult } from './simulation.ts'

const seeds = scaled({ smoke: 60, full: 240 })
const forgetfulSeeds = scaled({ smoke: 30, full: 150 })

describe('runners that wait for commands', function () {
  this.timeout(900_000)
  let runs: SimulationResult[] = []

  before(async () => {
    runs = await runSeries(
      Array.from({ length: seeds }, (_, index) => index + 1),
      'warm',
    )
  })

  it(`warm runners keep all promises in ${seeds} runs full of faults`, () => {
    const failed = runs.filter(({ violations }) => violations.length > 0)
    expect(failed.map(({ report }) => report).join('\n\n')).to.equal('')
    const starts = runs.reduce((sum, { warmStarts }) => sum + warmStarts, 0)
    console.log(`      ${starts} warm starts`)
    expect(starts).to.be.at.least(3 * seeds)
  })

  it('warm runners meet a crash before and after each effect on them', () => {
    const met = new Set(runs.flatMap(({ crashes }) => crashes))
    const points = warmPoints.map(({ name, action }) => `${name}=${action}`)
    expect(points.filter((point) => !met.has(point))).to.deep.equal([])
  })

  it('warm runners end no command and stay with none when the database loses what was bound', async () => {
    const all = Array.from({ length: forgetfulSeeds }, (_, index) => index + 1)
    const forgetful = await runSeries(all, 'forgetful warm')
    const failed = forgetful.filter(({ violations }) => violations.length > 0)
    expect(failed.map(({ report }) => report).join('\n\n')).to.equal('')
    expect(forgetful.filter(({ forgotten }) => forgotten > 0)).to.have.length.above(
      0.8 * forgetfulSeeds,
    )
    expect(forgetful.flatMap(({ losses }) => losses)).to.include('BindingLost')
    expect(forgetful.flatMap(({ errors }) => errors)).to.not.include('START_TIMEOUT')
  })

  it('warm runners cost no command an attempt where nothing goes wrong', async () => {
    for (const seed of [1, 2, 3]) {
      const run = await simulate({ seed, faults: 0, warmRunners: 2 })
      expect(run.report).to.equal('')
      expect(run.warmStarts).to.be.at.least(5)
      expect(run.losses.filter((reason) => reason !== 'UnexpectedError')).to.deep.equal([])
    }
  })
})
