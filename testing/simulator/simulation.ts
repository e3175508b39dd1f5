import type { FailpointName } from '../../common/runtime/effects.ts'
import { buildWorld } from './build-world.ts'
import { startClients } from './processes/clients.ts'
import type { Clients } from './processes/clients.ts'
import { calmFromMs, lostEvents, startFaults } from './faults/fault-plan.ts'
import { startInstallation } from './cluster/installation.ts'
import { createRandom } from '../support/random.ts'
import { accounts, leaseSeconds as shortLease } from './world/settings.ts'
import type { Forgets } from './world/forgetful-database.ts'
import type { LeaseSeconds } from '../../operator/machinery/election/leader-timing.ts'
import type { Sabotage, World } from './world/world.ts'

export interface SimulationOptions {
  readonly seed: number
  readonly commands?: number
  readonly faults?: number
  /** Names of faults that come besides those drawn from the seed. */
  readonly certain?: readonly string[]
  /** Crash points that this run should meet. */
  readonly crashes?: readonly { name: FailpointName; action: 'crash-before' | 'crash-after' }[]
  readonly sabotage?: Sabotage
  /** The database loses its last commits. */
  readonly forgets?: Forgets
  readonly leaseSeconds?: LeaseSeconds
  /** vCPUs of all nodes together, which have room for everything otherwise. */
  readonly roomVcpus?: number
  /** Number of runners that always wait for commands. */
  readonly warmRunners?: number
}

export interface SimulationResult {
  readonly seed: number
  readonly violations: readonly string[]
  /** Submitted or applied. */
  readonly commands: number
  readonly faults: readonly string[]
  /** `name=action` of the crash points that were met. */
  readonly crashes: readonly string[]
  readonly digest: string
  /** Starts of operators after their first. */
  readonly operatorRestarts: number
  /** Terms of leadership, over all operators. */
  readonly terms: number
  /** How often the database has lost commits. */
  readonly forgotten: number
  /** Commands and files whose resource has shown that they succeeded. */
  readonly shown: number
  /** Why attempts were lost, over all commands. */
  readonly losses: readonly string[]
  /** Error statuses of commands that have failed. */
  readonly errors: readonly string[]
  /** Attempts of pods that had waited for a command. */
  readonly warmStarts: number
  /** Ends that were recorded again. */
  readonly restored: number
  readonly virtualSeconds: number
  /** Seed, violations, faults and the end of the trace; empty where all was well. */
  readonly report: string
}

/** Time in ms from the beginning; long before caches are compared with the cluster as a matter of routine. */
const restWithinMs = 480_000
/** A lost event that nothing else brings to light is found by that comparison, 10 to 15 min apart. */
const restAfterLostEventsMs = 1_200_000
const reportedLines = 80

/**
 * The whole control plane in one process: two API servers, two operators, a cluster and users, with
 * faults, then a calm, until all is at rest. The same seed gives the same run, step for step.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { seed, commands = 20, faults = 9, certain = [], sabotage = {} } = options
  const { leaseSeconds = shortLease, forgets, warmRunners = 0, roomVcpus = null } = options
  const warm = warmRunners === 0 ? null : { min: warmRunners, max: warmRunners, image: 1 }
  const random = createRandom(`simulation ${seed}`)
  const { world, database } = buildWorld(random, {
    sabotage,
    leaseSeconds,
    forgets,
    warm,
    roomVcpus,
  })
  for (const account of accounts) await world.store.ensureAccount(account)
  const installation = startInstallation(world)
  const { apis, operators } = installation
  const clients = startClients(world, { apis, count: commands, random: random.fork('clients') })

  const armed = random.fork('crashes')
  for (const { name, action } of options.crashes ?? []) {
    world.crashes.arm(name, action, armed.integer(0, 3))
  }
  const around = { ...installation, world, database }
  const happened = startFaults(around, random.fork('faults'), { count: faults, certain })
  await untilRest(world, clients, happened)
  for (const what of world.oracle.shownProblems()) world.oracle.violated(what, true)
  for (const host of [...apis, ...operators]) host.running()?.process.kill()

  const { clock, crashes, oracle, trace } = world
  const operatorRestarts = operators.reduce((sum, host) => sum + host.starts() - 1, 0)
  const allFaults = [...happened, ...crashes.fired]
  const virtualSeconds = clock.monotonicMs() / 1_000
  return {
    seed,
    violations: oracle.violations,
    commands: clients.commandIds.length,
    faults: allFaults,
    crashes: crashes.fired,
    digest: trace.digest(),
    virtualSeconds,

    operatorRestarts,
    terms: world.counts.terms,
    forgotten: world.forgotten(),
    shown: oracle.shown(),
    losses: oracle.rows().flatMap(({ lossReasons }) => lossReasons),
    errors: oracle.rows().flatMap(({ errorStatus }) => errorStatus ?? []),
    restored: world.counts.restored,
    warmStarts: world.counts.bound,
    report:
      oracle.violations.length === 0
        ? ''
        : [
            `seed ${seed}, after ${virtualSeconds.toFixed(1)} s of virtual time:`,
            ...oracle.violations.slice(0, 10),
            `faults: ${allFaults.join('; ')}`,
            ...trace.last(reportedLines),
          ].join('\n'),
  }
}

/** Until nothing is left to do, or something is wrong; also if it is that there is no rest. */
async function untilRest(
  { clock, oracle }: World,
  clients: Clients,
  happened: readonly string[],
): Promise<void> {
  let checkedAtMs = 0
  const unrest = (): string[] => [
    ...(clients.pending() > 0 ? [`${clients.pending()} clients were never answered`] : []),
    ...oracle.unrest(),
  ]
  const isDone = (): boolean => {
    if (oracle.violations.length > 0) return true
    if (clock.monotonicMs() < Math.max(calmFromMs, checkedAtMs + 1_000)) return false
    checkedAtMs = clock.monotonicMs()
    return unrest().length === 0
  }
  let isAtRest = await clock.runUntil(isDone, restWithinMs)
  if (!isAtRest && happened.includes(lostEvents)) {
    isAtRest = await clock.runUntil(isDone, restAfterLostEventsMs - restWithinMs)
  }
  if (!isAtRest) for (const what of unrest()) oracle.violated(what, true)
}
