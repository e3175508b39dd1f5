import { eventually } from '../../steps/eventually.ts'
import { newAccount } from '../../steps/new-account.ts'
import { serverRestarts } from '../../steps/server-pods.ts'
import { hostileAccount } from '../../../testing/noisy-account/hostile-loads.ts'
import { startHostileServers } from '../../../testing/noisy-account/hostile-servers.ts'
import { percentile, ratioInterval } from '../../../testing/support/statistics.ts'
import { startTenant } from './tenant.ts'
import type { Counts } from '../../../testing/noisy-account/hostile-loads.ts'
import type { NewAccount } from '../../steps/new-account.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'
import type { Figure } from '../figure/figure.ts'
import type { Served } from './tenant.ts'

const full: Counts = {
  poison: 2_000,
  long: 2_000,
  drips: 2_000,
  failing: 2_000,
  streams: 500,
  followers: 500,
  unknownKeys: 20_000,
  reads: 20_000,
}

const short: Counts = {
  poison: 40,
  long: 60,
  drips: 20,
  failing: 40,
  streams: 100,
  followers: 50,
  unknownKeys: 1_000,
  reads: 1_000,
}

/** Fewer runners than two cores schedule beside the servers; two vCPUs of it are kept for the other account. */
const operator = { capacityVcpus: 10 }
/** Highest ratio of the tenant's time beside a noisy account to the time alone. */
const mostRatio = 1.5

/**
 * An account on plan pro sends tiny commands, while another one does its worst: first on plan pro, then on plan
 * unlimited. Phases quiet, noisy, quiet, noisy in one run, of half an hour, or of 5 minutes if short.
 */
export async function neighbour(
  environment: BenchEnvironment,
  isShort: boolean,
): Promise<Figure[]> {
  const { cluster, installed, say } = environment
  const counts = isShort ? short : full
  const perLoad = isShort ? 2 : 8
  const loads = Object.keys(counts).length
  await environment.reconfigure({ operator })
  const restarts = await serverRestarts(environment)
  const address = cluster.hostAddress
  const servers = await startHostileServers(address, counts.failing)
  const { apiKey } = await newAccount(environment, 'pro')
  const everyMs = isShort ? 1_500 : 5_000
  const tenant = await startTenant({ url: installed.url, apiKey, address, everyMs })
  const quiet: Served[] = []
  const noisy = new Map<string, Served[]>()
  const statuses = new Map<number, number>()
  try {
    // Not measured: what a first command finds cold.
    await tenant.run(2)
    for (const plan of ['pro', 'unlimited']) {
      say(`quiet: ${loads * perLoad} commands`)
      quiet.push(...(await tenant.run(loads * perLoad)))
      await beside(await newAccount(environment, plan))
    }
    return [...figuresOf(quiet, noisy), ...(await counted())]
  } finally {
    await tenant.close()
    await servers.close()
  }

  async function beside({ apiKey: key, client }: NewAccount): Promise<void> {
    const account = hostileAccount({ url: installed.url, apiKey: key }, servers, counts)
    const sending: Promise<void>[] = []
    try {
      for (const load of account.loads) {
        say(`noisy: ${perLoad} commands beside ${load.name}`)
        // Not awaited: the limits of its plan may hold the rest back for an hour.
        sending.push(load.send())
        noisy.set(load.name, [...(noisy.get(load.name) ?? []), ...(await tenant.run(perLoad))])
      }
    } finally {
      await account.stop()
    }
    await Promise.all(sending)
    for (const [status, count] of account.statuses) {
      statuses.set(status, (statuses.get(status) ?? 0) + count)
    }
    say('waiting until nothing of the noisy account is left to do')
    await eventually('nothing is left to do', () => isDone(client), 600)
  }

  async function counted(): Promise<Figure[]> {
    const errors = [...statuses].filter(([status]) => status >= 500)
    const none = { unit: 'count', bar: { atMost: 0 } } as const
    const isRestarted = (await serverRestarts(environment)) !== restarts
    return [
      { name: 'tenant: answers of 429', value: tenant.refused(), ...none },
      { name: 'tenant: failures', value: tenant.failures(), ...none },
      { name: 'noisy: answers of 5xx', value: errors.reduce((sum, [, n]) => sum + n, 0), ...none },
      { name: 'noisy: answers of 429', value: statuses.get(429) ?? 0, unit: 'count' },
      { name: 'restarted servers', value: isRestarted ? 1 : 0, ...none },
    ]
  }
}

async function isDone(client: NewAccount['client']): Promise<boolean> {
  const { queue } = await client.getUsage()
  return queue.queued === 0 && (await client.listCommands({ status: 'PROCESSING' })).length === 0
}

function figuresOf(
  quiet: readonly Served[],
  noisy: ReadonlyMap<string, readonly Served[]>,
): Figure[] {
  const all = [...noisy.values()].flat()
  return (['success', 'webhook'] as const).flatMap((part): Figure[] => {
    const of = (served: readonly Served[]): number[] => served.map((each) => each[part])
    const p95 = (values: readonly number[]): number => percentile(values, 0.95)
    const peer = p95(of(quiet))
    const { high } = ratioInterval(of(all), of(quiet), p95, Math.random)
    const bar = { atMost: mostRatio, ofPeer: true } as const
    return [
      ...[...noisy].map(([load, served]): Figure => ({
        name: `${part} p95 beside ${load}`,
        value: p95(of(served)),
        unit: 'ms',
        peer,
      })),
      { name: `${part} p95 beside all, and alone`, value: p95(of(all)), unit: 'ms', peer },
      { name: `the same, upper end of 95 %`, value: high * peer, unit: 'ms', peer, bar },
    ]
  })
}
