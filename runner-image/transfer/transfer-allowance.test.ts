import { expect } from 'chai'
import { sleep } from '../../common/effects.ts'
import { Failure } from '../../common/failures.ts'
import { createTransferAllowance } from './transfer-allowance.ts'
import { testEffects } from './testing/test-effects.ts'

describe('the time for fetching and storing', () => {
  it('is spent by both together, and not while FFmpeg runs', async () => {
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
})
