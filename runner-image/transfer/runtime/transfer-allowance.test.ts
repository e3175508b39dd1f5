import { expect } from 'chai'
import { sleep } from '../../../common/runtime/effects.ts'
import { Failure } from '../../../common/domain/failures.ts'
import { createTransferAllowance } from './transfer-allowance.ts'
import { testEffects } from '../../../testing/runner/test-effects.ts'

describe('the time for fetching and storing', () => {
  it('the time is spent by fetching and storing together, and not while FFmpeg runs', async () => {
    const effects = testEffects(0)
    const allowance = createTransferAllowance(effects.clock, 60)
    const spend = (seconds: number) =>
      allowance.spend(
        new AbortController().signal,
        () => new Failure('STORAGE_ERROR', 'too late'),
        (signal) => {
          const work = sleep(effects.clock, seconds * 1000, signal)
          effects.advance(seconds * 1000)
          return work
        },
      )
    await spend(50)
    effects.advance(600_000)
    const error = await spend(11).catch((caught: unknown) => caught)
    expect(error instanceof Failure && error.message).to.equal('too late')
  })

  it('charges work that runs side by side once', async () => {
    const effects = testEffects(0)
    const allowance = createTransferAllowance(effects.clock, 60)
    const { signal } = new AbortController()
    const late = () => new Failure('STORAGE_ERROR', 'too late')
    const both = [50_000, 40_000].map((ms) =>
      allowance.spend(signal, late, (stop) => sleep(effects.clock, ms, stop)),
    )
    effects.advance(40_000)
    await both[1]
    effects.advance(10_000)
    await both[0]
    expect(allowance.charge(9)).to.equal(0)
    expect(allowance.charge(3)).to.equal(2)
  })
})
