import { eventually } from '../../../e2e/steps/eventually.ts'
import { hostileAccount } from '../../noisy-account/hostile-loads.ts'
import { readState } from './state.ts'
import type { Database } from '../../../common/database/connection/query.ts'
import type { Say } from '../../../e2e/cluster/host/progress.ts'
import type { NewAccount } from '../../../e2e/steps/new-account.ts'
import type { Counts } from '../../noisy-account/hostile-loads.ts'
import type { HostileServers } from '../../noisy-account/hostile-servers.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'
import type { State } from './state.ts'
import type { Served, Tenant } from './tenant.ts'

/** What the tenant got while the other account did nothing, or sent one kind of load after the other. */
export interface Phase {
  readonly name: string
  readonly isNoisy: boolean
  /** By what was sent last; loads that were sent before go on. */
  readonly served: ReadonlyMap<string, readonly Served[]>
  /** Before the noisy account has stopped. */
  readonly during: State
  /** Once nothing of the accounts is left to do. */
  readonly after: State
  /** HTTP statuses that the noisy account got, and how often. */
  readonly statuses: ReadonlyMap<number, number>
}

export interface PhaseDeps {
  readonly environment: BenchEnvironment
  readonly database: Database
  readonly tenant: Tenant
  readonly servers: HostileServers
  readonly counts: Counts
  /** Commands of the tenant beside each load. */
  readonly perLoad: number
  readonly say: Say
}

export async function quietPhase(
  { environment, database, tenant, perLoad, say }: PhaseDeps,
  { name, loads }: { readonly name: string; readonly loads: number },
): Promise<Phase> {
  say(`${name}: ${loads * perLoad} commands`)
  const served = new Map([['nothing', await tenant.run(loads * perLoad)]])
  const state = await readState(environment, database)
  return { name, isNoisy: false, served, during: state, after: state, statuses: new Map() }
}

/** @param account the noisy one */
export async function noisyPhase(
  { environment, database, tenant, servers, counts, perLoad, say }: PhaseDeps,
  { name, account }: { readonly name: string; readonly account: NewAccount },
): Promise<Phase> {
  const { url } = environment.installed
  const noisy = hostileAccount({ url, apiKey: account.apiKey }, servers, counts)
  const served = new Map<string, readonly Served[]>()
  const sending: Promise<void>[] = []
  let during: State
  try {
    for (const load of noisy.loads) {
      say(`${name}: ${perLoad} commands beside ${load.name}`)
      // Not awaited: the limits of its plan may hold the rest back for an hour.
      sending.push(load.send())
      served.set(load.name, await tenant.run(perLoad))
    }
    during = await readState(environment, database)
  } finally {
    await noisy.stop()
  }
  await Promise.all(sending)
  say(`${name}: waiting until nothing is left to do`)
  await eventually('nothing is left to do', () => isDrained(environment, database), 600)
  const after = await readState(environment, database)
  return { name, isNoisy: true, served, during, after, statuses: noisy.statuses }
}

/** Webhooks to receivers that do not answer are tried for hours: they are counted, not waited for. */
async function isDrained(environment: BenchEnvironment, database: Database): Promise<boolean> {
  const { unfinished, resources } = await readState(environment, database)
  return unfinished === 0 && resources === 0
}
