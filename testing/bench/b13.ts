import { kubectl } from '../../e2e/installation/install.ts'
import { newAccount } from '../../e2e/steps/new-account.ts'
import { startHostileServers } from '../noisy-account/hostile-servers.ts'
import { testPool } from '../support/database.ts'
import { loadFigure } from './figure/figure.ts'
import { noisyFigures } from './noisy/noisy-figures.ts'
import { noisyPhase, quietPhase } from './noisy/phases.ts'
import { readState } from './noisy/state.ts'
import { startTenant } from './noisy/tenant.ts'
import type { AdminAccess } from '../../e2e/steps/new-account.ts'
import type { Say } from '../../e2e/cluster/host/progress.ts'
import type { Counts } from '../noisy-account/hostile-loads.ts'
import type { BenchEnvironment } from './cluster/environment.ts'
import type { Figure } from './figure/figure.ts'

interface Options {
  readonly counts: Counts
  /** Commands of the tenant beside each kind of load, and the time between two. */
  readonly perLoad: number
  readonly everyMs: number
}

export const fullNoise: Options = {
  counts: {
    poison: 2_000,
    long: 2_000,
    drips: 2_000,
    failing: 2_000,
    streams: 500,
    followers: 500,
    unknownKeys: 20_000,
    reads: 20_000,
  },
  perLoad: 8,
  everyMs: 5_000,
}

export const shortNoise: Options = {
  counts: {
    poison: 40,
    long: 60,
    drips: 20,
    failing: 40,
    streams: 100,
    followers: 50,
    unknownKeys: 1_000,
    reads: 1_000,
  },
  perLoad: 2,
  everyMs: 1_500,
}

/** Fewer runners than two cores schedule beside the servers; two vCPUs of it are kept for the other account. */
const capacityVcpus = 10

/**
 * An account on plan pro sends tiny commands, while another one does its worst: first on plan pro, then on plan
 * unlimited. Phases quiet, noisy, quiet, noisy in one run.
 */
export async function b13(
  environment: BenchEnvironment,
  { counts, perLoad, everyMs }: Options,
  say: Say,
): Promise<Figure[]> {
  const { cluster, installed, namespace } = environment
  await environment.reconfigure({ operator: { capacityVcpus } })
  const access: AdminAccess = {
    installed,
    kubectl: (...args) => kubectl(cluster, ['-n', namespace, ...args]),
  }
  const { url: databaseUrl } = installed.values['database'] as { url: string }
  const database = testPool(databaseUrl)
  const address = cluster.hostAddress
  const servers = await startHostileServers(address, counts.failing)
  const { apiKey } = await newAccount(access, 'pro')
  const tenant = await startTenant({ url: installed.url, apiKey, address, everyMs })
  const loads = Object.values(counts).filter((count) => count > 0).length
  try {
    const deps = { environment, database, tenant, servers, counts, perLoad, say }
    // Not measured: what a first command finds cold.
    await tenant.run(2)
    const start = await readState(environment, database)
    const before = loadFigure('before')
    const phases = [
      await quietPhase(deps, { name: 'quiet 1', loads }),
      await noisyPhase(deps, { name: 'noisy pro', account: await newAccount(access, 'pro') }),
      await quietPhase(deps, { name: 'quiet 2', loads }),
      await noisyPhase(deps, {
        name: 'noisy unlimited',
        account: await newAccount(access, 'unlimited'),
      }),
    ]
    return [before, ...noisyFigures(phases, { tenant, start }), loadFigure('after')]
  } finally {
    await tenant.close()
    await servers.close()
    await database.close()
  }
}
