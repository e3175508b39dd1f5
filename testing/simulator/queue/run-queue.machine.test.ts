import { expect } from 'chai'
import { scaled } from '../../scale.ts'
import { percentile } from '../../support/statistics.ts'
import { planWith } from '../../support/plans.ts'
import { createRandom } from '../../support/random.ts'
import { runQueue } from './run-queue.ts'
import type { Arrival, QueueOptions, Waited } from './run-queue.ts'

const nodes = { count: 64, vcpus: 16 }
const capacityVcpus = nodes.count * nodes.vcpus
const plans = {
  pro: planWith({ weight: 4, vcpuPerCommand: 16, vcpuTotal: 16 }),
  unlimited: planWith({ weight: 4, vcpuPerCommand: 16, vcpuTotal: null }),
}
/** The chart's defaults, and the capacity of the nodes. */
const options: QueueOptions = {
  plans,
  planOf: () => 'pro',
  admission: {
    liveJobs: 500,
    liveFileJobs: 32,
    capacityVcpus,
    learnsCapacity: true,
    reservedShare: 0.1,
    reserveSeconds: 1_800,
    startingPods: null,
    passSeconds: 300,
    unplacedPods: 2,
  },
  dispatch: { liveLimit: 1_000, lookAhead: 16 },
  untilMs: 600_000,
}

describe('the queue of many accounts', function () {
  this.timeout(600_000)

  it('starts the first command of each of 1,000 equal accounts in the first turn, and all of them in turns', async () => {
    const random = createRandom('equal')
    const perAccount = 3
    const arrivals = Array.from({ length: 1_000 * perAccount }, (_, index): Arrival => ({
      accountId: `a${Math.floor(index / perAccount)}`,
      atMs: 0,
      vcpuCount: 2,
      runMs: random.between(5_000, 20_000),
    }))
    const waits = await runQueue(arrivals, options)
    expect(waits.filter(({ waitedMs }) => waitedMs === null)).to.have.lengthOf(0)
    const byAccount = [...Map.groupBy(waits, ({ accountId }) => accountId).values()]
    const firsts = byAccount.map((own) => Math.min(...own.map(secondsOf)))
    const lasts = byAccount.map((own) => Math.max(...own.map(secondsOf)))
    print('1,000 accounts, 3 commands each at once', waits)
    console.log(
      `      first command of an account ${spread(firsts)}; last command ${spread(lasts)}`,
    )
    // No second command starts before the first of each account.
    const seconds = byAccount.map((own) => own.map(secondsOf).toSorted((a, b) => a - b)[1] ?? 0)
    expect(Math.min(...seconds)).to.be.at.least(Math.max(...firsts) - 1)
  })

  for (const kind of ['hour-long', 'burning'] as const) {
    it(`starts the commands of one account as fast beside 2,000 ${kind} commands of another as before`, async () => {
      const minutes = scaled({ smoke: 4, full: 20 })
      const run = (isNoisy: boolean) =>
        runQueue(crowd(minutes, isNoisy ? kind : null), {
          ...options,
          planOf: (accountId) => (accountId === 'noisy' ? 'unlimited' : 'pro'),
          untilMs: (minutes + 1) * 60_000,
        })
      const [quiet, noisy] = [await run(false), await run(true)]
      const own = (waits: readonly Waited[]) => waits.filter(({ accountId }) => accountId === 'own')
      print(`quiet, 200 accounts`, own(quiet))
      print(`beside 2,000 ${kind} commands`, own(noisy))
      const [before, beside] = [quiet, noisy].map((waits) =>
        percentile(own(waits).map(secondsOf), 0.95),
      )
      // A pass per second, and the reserve: virtual time, so the machine's load changes nothing.
      expect(beside).to.be.at.most(Math.max(1, 1.5 * (before ?? 0)))
    })
  }
})

/** 199 accounts with some work, one with a tiny command each 5 s, and one that submits all it can. */
function crowd(minutes: number, noise: 'hour-long' | 'burning' | null): Arrival[] {
  const random = createRandom('crowd')
  const arrivals: Arrival[] = []
  for (let index = 0; index < 199; index += 1) {
    for (let atMs = random.between(0, 60_000); atMs < minutes * 60_000;) {
      const runMs = random.between(2_000, 30_000)
      arrivals.push({ accountId: `a${index}`, atMs, vcpuCount: random.chance(0.2) ? 8 : 2, runMs })
      atMs += random.between(10_000, 60_000)
    }
  }
  for (let atMs = 0; atMs < minutes * 60_000; atMs += 5_000) {
    arrivals.push({ accountId: 'own', atMs, vcpuCount: 2, runMs: 2_000 })
  }
  const shape = {
    'hour-long': { vcpuCount: 1, runMs: 3_600_000 },
    burning: { vcpuCount: 16, runMs: 60_000 },
  }
  for (let count = 0; noise !== null && count < 2_000; count += 1) {
    arrivals.push({ accountId: 'noisy', atMs: 60_000, ...shape[noise] })
  }
  return arrivals
}

function secondsOf({ waitedMs }: Waited): number {
  return (waitedMs ?? Infinity) / 1_000
}

function print(what: string, waits: readonly Waited[]): void {
  const [p50, p95] = [0.5, 0.95].map((part) => percentile(waits.map(secondsOf), part).toFixed(1))
  console.log(`      ${what}: wait p50 ${p50}, p95 ${p95} s of ${waits.length} commands`)
}

function spread(values: readonly number[]): string {
  return `after ${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)} s`
}
