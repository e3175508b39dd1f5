import { expect } from 'chai'
import { testEffects } from '../../../testing/runner/test-effects.ts'
import { forecastGrowth } from './growth-forecast.ts'

describe('a forecast of how a file grows', () => {
  it('forecasts from the samples of the last second', () => {
    const { forecast, advance } = start()
    forecast.see(0, null)
    advance(2_000)
    forecast.see(1_000_000, null)
    advance(500)
    forecast.see(3_000_000, null)
    expect(forecast.msUntil(5_000_000)).to.equal(500)
    expect(forecast.msUntil(2_000_000)).to.equal(0)
  })

  it('expects nothing of a single burst, of a file that rests, or of one that begins anew', () => {
    const { forecast, advance } = start()
    forecast.see(0, null)
    advance(50)
    forecast.see(3_000_000, null)
    expect(forecast.msUntil(5_000_000)).to.equal(Infinity)
    advance(2_000)
    forecast.see(3_000_000, null)
    advance(500)
    forecast.see(3_000_000, null)
    expect(forecast.msUntil(5_000_000)).to.equal(Infinity)
    advance(500)
    forecast.see(100, 0.5)
    expect([forecast.msUntil(200), forecast.endsAt()]).to.deep.equal([Infinity, 200])
  })

  it('holds what was said of the progress against what the file had when it was said', () => {
    const { forecast, advance } = start()
    forecast.see(1_000, null)
    expect(forecast.endsAt()).to.equal(null)
    forecast.see(2_000, 0.1)
    advance(900)
    forecast.see(5_000, 0.1)
    expect(forecast.endsAt()).to.equal(20_000)
  })

  function start() {
    const effects = testEffects()
    const advance = (ms: number): void => effects.advance(ms)
    return { forecast: forecastGrowth(effects.clock), advance }
  }
})
