import { expect } from 'chai'
import { percentile } from '../../support/statistics.ts'
import { createRandom } from '../../support/random.ts'
import { scaled } from '../../scale.ts'
import { runWebhooks } from './run-webhooks.ts'
import type { End, WebhookRun } from './run-webhooks.ts'

const minutes = scaled({ smoke: 3, full: 30 })

describe('webhooks of many accounts', function () {
  this.timeout(600_000)
  const random = createRandom('webhooks')
  const steady = (accountId: string, host: string): End[] =>
    Array.from({ length: minutes * 20 }, (_, index) => ({
      accountId,
      host,
      atMs: index * 3_000 + random.between(0, 1_000),
    }))
  const own = steady('own', 'own.example')
  /** Each dead host has several events, so that it also meets the limits of a receiver. */
  const dead = Array.from({ length: 4 * 500 }, (_, index): End => ({
    accountId: 'noisy',
    host: `dead-${index % 500}`,
    atMs: index * 20,
  }))
  const untilMs = minutes * 60_000 + 10_000

  function ownDelays(run: WebhookRun, what: string): readonly number[] {
    const delays = run.delaysMs.get('own') ?? []
    const [p50, p95, most] = [0.5, 0.95, 1].map((part) => percentile(delays, part).toFixed(0))
    console.log(
      `      ${what}: ${delays.length} events after p50 ${p50}, p95 ${p95}, at most ${most} ms`,
    )
    return delays
  }

  for (const replicas of [1, 2]) {
    it(`webhooks arrive within a second beside 500 dead hosts of another account, with ${replicas} replicas`, async () => {
      const quiet = ownDelays(await runWebhooks(own, { replicas, untilMs }), 'alone')
      const run = await runWebhooks([...own, ...dead], { replicas, untilMs })
      const delays = ownDelays(run, 'beside 500 dead hosts')
      expect(delays).to.have.length(own.length)
      expect(Math.max(...delays)).to.be.at.most(1_000)
      // A sender that has work polls each 250 ms, and an idle one is woken by the hint.
      expect(percentile(delays, 0.95)).to.be.at.most(percentile(quiet, 0.95) + 250)
      expect(run.attempts.size).to.be.above(300)
      expect(run.rearmed).to.equal(0)
    })
  }

  it('webhooks are attempted at a dead host less often than its deliveries are due', async () => {
    const events = Array.from({ length: 200 }, (_, index): End => ({
      accountId: 'noisy',
      host: 'dead',
      atMs: index * 100,
    }))
    const run = await runWebhooks(events, { replicas: 1, untilMs: 600_000 })
    // 5 failures, then 5, 10, 20 … 300 s between two attempts; attempts under way at first count too.
    expect(run.attempts.get('dead')).to.be.within(8, 20)
  })

  it('webhooks arrive as fast when many events of one receiver end at a time', async () => {
    const burst = Array.from({ length: 500 }, (): End => ({
      accountId: 'own',
      host: 'own.example',
      atMs: 1_000,
    }))
    const run = await runWebhooks(burst, { replicas: 1, untilMs: 20_000 })
    const delays = ownDelays(run, '500 at once')
    // Eight at a time, each of 20 ms: no pause between them.
    expect(Math.max(...delays)).to.be.at.most(2_500)
  })
})
