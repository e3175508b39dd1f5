import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createServiceRates } from './service-rates.ts'

describe('createServiceRates', () => {
  function setUp() {
    const clock = createVirtualClock()
    const rates = createServiceRates({ clock })
    /** Passes of a second in which the account uses so many vCPUs. */
    const pass = async (seconds: number, vcpuCount: number, accountId = 'a') => {
      for (let second = 0; second < seconds; second += 1) {
        await clock.advance(1_000)
        const running = [
          {
            commandId: 'c',
            vcpuCount,
            runningSeconds: 1,
            isEnding: false,
            isStarting: false,
          },
        ]
        rates.observe([{ accountId, running: vcpuCount === 0 ? [] : running }])
      }
    }
    return { rates, pass }
  }

  it('returns the average since the account came, while that is less than 15 minutes', async () => {
    const { rates, pass } = setUp()
    await pass(100, 4)
    expect(rates.rateOf('a')).to.be.closeTo(4, 1e-9)
    await pass(100, 0)
    expect(rates.rateOf('a')).to.be.closeTo(2, 0.05)
  })

  it('forgets by and by what is older than 15 minutes', async () => {
    const { rates, pass } = setUp()
    await pass(900, 8)
    await pass(900, 2)
    expect(rates.rateOf('a')).to.be.within(2, 2 + 6 / Math.E + 0.1)
    await pass(7_200, 2)
    expect(rates.rateOf('a')).to.be.closeTo(2, 0.01)
  })

  it('returns 0 for an account that has neither waiting nor running commands', async () => {
    const { rates, pass } = setUp()
    await pass(10, 4)
    await pass(1, 4, 'b')
    expect([rates.rateOf('a'), rates.rateOf('b')]).to.deep.equal([0, 4])
  })
})
