import { setTimeout as delay } from 'node:timers/promises'
import { kubectl } from '../../e2e/installation/install.ts'
import { eventually } from '../../e2e/steps/eventually.ts'
import { newAccount } from '../../e2e/steps/new-account.ts'
import { startReceiver } from '../../e2e/steps/receiver.ts'
import { hostileAccount } from '../noisy-account/hostile-loads.ts'
import { startHostileServers } from '../noisy-account/hostile-servers.ts'
import { startPacedLoads } from '../noisy-account/paced-loads.ts'
import { percentile, ratioUpperEnd } from './figure/statistics.ts'
import { loadFigure } from './figure/figure.ts'
import { pollUntilEnd, tinyCommand } from './cluster/measure-command.ts'
import type { NewAccount } from '../../e2e/steps/new-account.ts'
import type { Counts } from '../noisy-account/hostile-loads.ts'
import type { Rates } from '../noisy-account/paced-loads.ts'
import type { BenchEnvironment } from './cluster/environment.ts'
import type { Figure } from './figure/figure.ts'

interface Plan {
  /** Commands of the measured account in each of the four phases, one each 5 s. */
  readonly commands: number
  readonly counts: Counts
  readonly rates: Rates
}

export function tenancyPlan(short: boolean): Plan {
  const all = (count: number) => ({ poison: count, long: count, drips: count, failing: count })
  return short
    ? {
        commands: 12,
        counts: { poison: 80, long: 120, drips: 40, failing: 150, streams: 300, logs: 100 },
        rates: { reads: 100, unknownKeys: 20 },
      }
    : {
        commands: 60,
        counts: { ...all(2_000), streams: 500, logs: 500 },
        rates: { reads: 333, unknownKeys: 50 },
      }
}

const betweenCommandsMs = 5_000
const phases = ['quiet', 'noisy', 'quiet', 'noisy'] as const
const silentReceivers = 500
const drainSeconds = 900

interface Measured {
  readonly seconds: number[]
  readonly webhookSeconds: number[]
  failed: number
}

/**
 * A tiny command each 5 s of one account, alone and while another account of the same plan does its worst:
 * bodies of 500 KB, commands of an hour, files from a server that drips, failing commands with receivers that do
 * not answer, streams, reads and unknown keys, all at a time.
 */
export async function b13(environment: BenchEnvironment, plan: Plan): Promise<Figure[]> {
  const { cluster, namespace, say } = environment
  // As many runners of one vCPU as two cores can schedule; half of it is the reserve.
  await environment.reconfigure({ operator: { capacityVcpus: 16 } })
  const administered = {
    installed: { url: cluster.publishedUrl },
    kubectl: (...args: string[]) => kubectl(cluster, ['-n', namespace, ...args]),
  }
  const measured = await newAccount(administered, 'pro')
  const hostile = await newAccount(administered, 'pro')
  const servers = await startHostileServers(cluster.hostAddress, silentReceivers)
  const service = { url: cluster.publishedUrl, apiKey: hostile.apiKey }
  const found = { quiet: emptyPhase(), noisy: emptyPhase() }
  const statuses = new Map<number, number>()
  const loads = [loadFigure('before')]
  let drainedSeconds = 0
  try {
    for (const [index, phase] of phases.entries()) {
      say(`b13, phase ${index + 1} of ${phases.length}: ${phase}`)
      if (phase === 'quiet') {
        await measure(environment, measured, plan.commands, found.quiet)
        continue
      }
      const account = hostileAccount(service, servers, plan.counts)
      const sending = account.loads.map((load) => load.send())
      const paced = startPacedLoads(service, plan.rates)
      try {
        await measure(environment, measured, plan.commands, found.noisy)
        loads.push(loadFigure(`noisy-${index}`))
      } finally {
        await account.stop()
        await Promise.all([...sending, paced.stop()])
      }
      for (const each of [account.statuses, paced.statuses]) {
        for (const [status, count] of each) {
          statuses.set(status, (statuses.get(status) ?? 0) + count)
        }
      }
      const begun = performance.now()
      await eventually('the backlog is gone', () => isIdle(hostile), drainSeconds)
      drainedSeconds = Math.max(drainedSeconds, (performance.now() - begun) / 1_000)
    }
  } finally {
    await servers.close()
  }
  return [...loads, ...figuresOf(found, statuses), inMs('b13.drained', drainedSeconds)]
}

function emptyPhase(): Measured {
  return { seconds: [], webhookSeconds: [], failed: 0 }
}

async function measure(
  { cluster }: BenchEnvironment,
  { client }: NewAccount,
  commands: number,
  into: Measured,
): Promise<void> {
  const receiver = await startReceiver(cluster.hostAddress, [204])
  try {
    for (let index = 0; index < commands; index += 1) {
      const turn = delay(betweenCommandsMs)
      const calls = receiver.calls.length
      const { command_id } = await client.submit({ ...tinyCommand, webhook_url: receiver.url })
      const answeredMs = performance.now()
      const record = await pollUntilEnd(client, command_id)
      into.seconds.push((performance.now() - answeredMs) / 1_000)
      if (record.status !== 'SUCCESS') into.failed += 1
      const endedMs = Date.parse(record.finished_at ?? '')
      await eventually('the webhook has come', () => Promise.resolve(receiver.calls.length > calls))
      into.webhookSeconds.push(((receiver.calls.at(-1)?.atMs ?? Number.NaN) - endedMs) / 1_000)
      await turn
    }
  } finally {
    await receiver.close()
  }
}

async function isIdle({ client }: NewAccount): Promise<boolean> {
  const { queue } = await client.getUsage()
  const running = await client.listCommands({ status: 'PROCESSING' })
  return queue.queued === 0 && running.length === 0
}

function figuresOf(
  { quiet, noisy }: Readonly<Record<'quiet' | 'noisy', Measured>>,
  statuses: ReadonlyMap<number, number>,
): Figure[] {
  const bar = 1.5
  const compared = (name: string, values: readonly number[], base: readonly number[]): Figure[] => {
    const [p95, basis] = [percentile(values, 0.95), percentile(base, 0.95)]
    return [
      inMs(`b13.${name}.quiet.p50`, percentile(base, 0.5)),
      inMs(`b13.${name}.quiet.p95`, basis),
      inMs(`b13.${name}.noisy.p50`, percentile(values, 0.5)),
      { ...inMs(`b13.${name}.noisy.p95`, p95), ratio: p95 / basis, limit: bar * basis * 1_000 },
      {
        name: `b13.${name}.ratio.upper`,
        value: ratioUpperEnd({ values, base }, 0.95, Math.random),
        unit: 'ratio',
        limit: bar,
      },
    ]
  }
  const answered = (from: number, to: number): number =>
    [...statuses].reduce((sum, [status, n]) => sum + (status >= from && status < to ? n : 0), 0)
  return [
    ...compared('command', noisy.seconds, quiet.seconds),
    ...compared('webhook', noisy.webhookSeconds, quiet.webhookSeconds),
    { name: 'b13.failed', value: quiet.failed + noisy.failed, unit: 'count', limit: 0 },
    { name: 'b13.hostile.2xx', value: answered(200, 300), unit: 'count' },
    { name: 'b13.hostile.429', value: answered(429, 430), unit: 'count' },
    { name: 'b13.hostile.5xx', value: answered(500, 600), unit: 'count', limit: 0 },
  ]
}

function inMs(name: string, seconds: number): Figure {
  return { name, value: seconds * 1_000, unit: 'ms' }
}
