import { expect } from 'chai'
import { scaled } from '../scale.ts'
import { forgetfulOptions, lossPoints, runSeries } from './series.ts'
import type { SimulationResult } from './simulation.ts'

const seeds = scaled({ smoke: 66, full: 500 })

describe('a database that loses its last commits', function () {
  this.timeout(1_800_000)
  let runs: SimulationResult[] = []

  before(async () => {
    const all = Array.from({ length: seeds }, (_, index) => index + 1)
    runs = await runSeries(all, 'forgetful')
  })

  it(`changes no success that was shown, and comes to rest, in ${seeds} runs`, () => {
    const failed = runs.filter(({ violations }) => violations.length > 0)
    expect(failed.map(({ report }) => report).join('\n\n')).to.equal('')
    const shown = runs.reduce((sum, run) => sum + run.shown, 0)
    const restored = runs.reduce((sum, run) => sum + run.restored, 0)
    console.log(`      ${shown} successes shown, ${restored} ends recorded again, 0 changed`)
  })

  it('loses commits in at least four of five runs, and restores ends', () => {
    const losses = runs.filter(({ forgotten }) => forgotten > 0).length
    expect(losses).to.be.at.least(0.8 * seeds)
    expect(runs.reduce((sum, run) => sum + run.restored, 0)).to.be.above(0)
  })

  it('commits are lost at each effect of the control plane, twice at least', () => {
    const points = new Set(
      Array.from({ length: seeds }, (_, index) => forgetfulOptions(index + 1).forgets?.at),
    )
    expect([...points]).to.have.members(lossPoints)
  })
})
