import { failpointNames } from '../../../common/effects.ts'
import type { Effects, FailpointName } from '../../../common/effects.ts'
import type { Logger } from '../../../common/logger.ts'
import { uuidV7 } from '../../../common/system-effects.ts'
import { startApi } from './api-process.ts'
import { startClients } from './clients.ts'
import { createCrashPlan, failpointOf } from './crash-plan.ts'
import { createDatabaseFaults } from './database-faults.ts'
import { createFakeStorage } from './fake-storage.ts'
import { createFakeKubeApiserver } from './fake-kube-apiserver/server.ts'
import { armCrashes, calmFromMs, lostEvents, startFaults } from './fault-plan.ts'
import { createGatewayService } from './gateway-service.ts'
import { createHost } from './host.ts'
import { runJobController } from './job-controller.ts'
import { runKubelets } from './kubelet.ts'
import { createMemoryStore } from './memory-store.ts'
import { startOperator } from './operator-process.ts'
import { createOracle } from './oracle.ts'
import type { SimulatedProcess } from './process.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { startRunner } from './runner.ts'
import { accounts, namespace } from './settings.ts'
import { createTrace } from './trace.ts'
import { createVirtualClock } from './virtual-clock.ts'
import type { Sabotage, World } from './world.ts'
import { createWrittenVersions } from './written-versions.ts'

export interface SimulationOptions {
  readonly seed: number
  readonly commands?: number
  readonly faults?: number
  /** Names of faults that come besides those drawn from the seed. */
  readonly certain?: readonly string[]
  /** Crash points that this run should meet. */
  readonly crashes?: readonly { name: FailpointName; action: 'crash-before' | 'crash-after' }[]
  readonly sabotage?: Sabotage
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
  readonly virtualSeconds: number
  report(lines?: number): string
}

/** From the beginning; long before caches are compared with the cluster as a matter of routine. */
const restWithinMs = 480_000
/** A lost event that nothing else brings to light is found by that comparison, 10 to 15 min apart. */
const restAfterLostEventsMs = 1_200_000

/**
 * The whole control plane in one process: two API servers, two operators, a cluster and users, with
 * faults, then a calm, until all is at rest. The same seed gives the same run, step for step.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { seed, commands = 20, faults = 9, certain = [], sabotage = {} } = options
  const random = createRandom(`simulation ${seed}`)
  const clock = createVirtualClock({ random: random.fork('order').next })
  const trace = createTrace(clock)
  const database = createDatabaseFaults(clock)
  const storage = createFakeStorage()
  const network = random.fork('network')
  const server = createFakeKubeApiserver({
    clock,
    random: network.next,
    latencyMs: () => network.between(0.3, 3),
    collectorDelayMs: () => network.between(20, 2_000),
  })
  const oracle = createOracle({
    nowMs: () => clock.monotonicMs(),
    pods: () => server.cluster.list('Pod'),
    command: (id) => server.cluster.get('FfmpegCommand', namespace, `ffc-${id}`),
    hasObject: (key) => storage.has(key),
    leftovers: () => [
      ...['FfmpegCommand', 'Job', 'Pod'].flatMap((kind) =>
        server.cluster.list(kind).map(({ metadata }) => `I5: ${kind} ${metadata.name} is left`),
      ),
      ...storage.openUploads().map((key) => `I5: an upload to ${key} is open`),
    ],
  })
  const store = createMemoryStore({
    clock,
    before: () => database.before(),
    after: (method) => database.after(method),
    audit: (tables, method) => {
      if (!method.startsWith('find')) oracle.audit(tables)
    },
  })
  const world: World = {
    ...{ clock, random, trace, oracle, server, store, storage, sabotage },
    crashes: createCrashPlan(),
    logger: traceLogger('', (what) => trace.add('log', what)),
  }
  server.cluster.onChange((change) => {
    const { kind, type, object } = change
    if (kind !== 'Lease') trace.add('cluster', `${type} ${kind} ${object.metadata.name}@${change.version}`)
    oracle.see(change)
  })
  const written = createWrittenVersions({
    exists: (path, uid) =>
      ['FfmpegCommand', 'Job'].some(
        (kind) =>
          server.cluster.get(kind, namespace, path.slice(path.lastIndexOf('/') + 1))?.metadata
            .uid === uid,
      ),
    violated: (what) => oracle.violated(what),
  })

  const ids = random.fork('ids')
  const effectsOf = (process: SimulatedProcess, own: Random, exit: (why: string) => void): Effects => ({
    clock: process.clock,
    random: own.next,
    newId: () => uuidV7(clock.wall().getTime(), tenBytes(ids)),
    failpoint: failpointOf(process, {
      plan: world.crashes,
      trace,
      crash: () => exit('crashed at a failpoint'),
    }),
  })
  for (const account of accounts) await store.ensureAccount(account)

  const apis = [1, 2].map((number) =>
    createHost(world, {
      name: `api-${number}`,
      random: random.fork(`restart-api-${number}`),
      boot: (process, exit) => {
        const own = random.fork(process.name)
        return startApi(world, process, { random: own, written, effects: effectsOf(process, own, exit) })
      },
    }),
  )
  const operators = [1, 2].map((number) =>
    createHost(world, {
      name: `operator-${number}`,
      random: random.fork(`restart-operator-${number}`),
      boot: (process, exit) => {
        const own = random.fork(process.name)
        const effects = effectsOf(process, own, exit)
        return startOperator(world, process, { random: own, written, exit, effects })
      },
    }),
  )
  const gateway = createGatewayService({
    clock,
    trace,
    random: random.fork('gateway network'),
    operators: () => operators,
  })
  const jobs = runJobController({ clock, random: random.fork('jobs'), cluster: server.cluster })
  const kubelets = runKubelets({
    clock,
    random: random.fork('kubelets'),
    cluster: server.cluster,
    trace,
    start: (pod, onExit) =>
      startRunner(
        {
          ...{ clock, trace, storage },
          ask: gateway.ask,
          neighbourEnded: (name, ended) =>
            clock.schedule(800, () => kubelets.containerEnded(name, ended)),
        },
        pod,
        onExit,
      ),
  })
  const clients = startClients(world, { apis, count: commands, random: random.fork('clients') })
  const around = { world, operators, apis, database, gateway, jobs, kubelets }
  armCrashes(around, options.crashes ?? [], random.fork('crashes'))
  const happened = startFaults(around, random.fork('faults'), { count: faults, certain })

  const isAtRest = (): boolean =>
    clock.monotonicMs() > calmFromMs && clients.pending() === 0 && oracle.unrest().length === 0
  let checkedAtMs = 0
  let atRest = false
  const isDone = (): boolean => {
    if (oracle.violations.length > 0) return true
    if (clock.monotonicMs() - checkedAtMs < 1_000) return false
    checkedAtMs = clock.monotonicMs()
    atRest = isAtRest()
    return atRest
  }
  await clock.runUntil(isDone, restWithinMs)
  if (!isDone() && happened.includes(lostEvents)) {
    await clock.runUntil(isDone, restAfterLostEventsMs - restWithinMs)
  }
  if (!atRest && oracle.violations.length === 0) {
    if (clients.pending() > 0) oracle.violated(`${clients.pending()} clients were never answered`)
    for (const what of oracle.unrest()) oracle.violated(what)
  }
  for (const host of [...apis, ...operators]) host.running()?.process.kill()

  return {
    seed,
    violations: oracle.violations,
    commands: clients.commandIds.length,
    faults: [...happened, ...world.crashes.fired],
    crashes: world.crashes.fired,
    digest: trace.digest(),
    virtualSeconds: clock.monotonicMs() / 1_000,
    report: (lines = 60) =>
      [
        `seed ${seed}, after ${(clock.monotonicMs() / 1_000).toFixed(1)} s of virtual time:`,
        ...oracle.violations.slice(0, 10),
        `faults: ${[...happened, ...world.crashes.fired].join('; ')}`,
        ...trace.last(lines),
      ].join('\n'),
  }
}

/** Points that these processes meet; those of the runner are met where it runs. */
export const simulatedFailpoints = failpointNames.filter(
  (name) => !name.startsWith('transfer.') && !name.startsWith('supervisor.'),
)

function tenBytes(random: Random): Uint8Array {
  return Uint8Array.from({ length: 10 }, () => random.integer(0, 255))
}

/** Lines of the trace: cheap, and without what only people need. */
function traceLogger(context: string, write: (what: string) => void): Logger {
  const line = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const { error, command_id, reason } = fields
    const parts = [context, message, command_id, reason, error instanceof Error ? error.message : '']
    write(parts.filter((part) => typeof part === 'string' && part !== '').join(' '))
  }
  return {
    debug: () => undefined,
    info: line,
    warn: line,
    error: line,
    child: (fields) => traceLogger([context, ...Object.values(fields)].join(' ').trim(), write),
  }
}
