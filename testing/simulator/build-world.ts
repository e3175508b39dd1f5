import { createCrashPlan } from './world/crash-plan.ts'
import { createDatabaseFaults } from './world/database-faults.ts'
import type { DatabaseFaults } from './world/database-faults.ts'
import { createFakeKubeApiserver } from './kube-apiserver/server.ts'
import { createFakeStorage } from './world/fake-storage.ts'
import { createMemoryStore } from './memory-store/memory-store.ts'
import { createKnownProcesses } from './world/known-processes.ts'
import { createOracle } from './oracle.ts'
import type { Random } from '../support/random.ts'
import { namespace } from './world/settings.ts'
import { traceLogger, createTrace } from './world/trace.ts'
import { createVirtualClock } from '../support/virtual-clock.ts'
import type { World } from './world/world.ts'
import { createWrittenVersions } from './world/written-versions.ts'

/** Everything that the processes of a run stand on, empty, and the oracle that watches it. */
export function buildWorld(
  random: Random,
  { sabotage, leaseSeconds }: Pick<World, 'sabotage' | 'leaseSeconds'>,
): { world: World; database: DatabaseFaults } {
  const clock = createVirtualClock({ random: random.fork('order').next, promisesOnly: true })
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
  const { cluster } = server
  const oracle = createOracle({
    nowMs: () => clock.monotonicMs(),
    pods: () => cluster.list('Pod'),
    command: (id) =>
      cluster.get('FfmpegCommand', namespace, `ffc-${id}`) ??
      cluster.get('StoredFile', namespace, `sf-${id}`),
    hasObject: (key) => storage.has(key),
    leftovers: () => [
      ...['FfmpegCommand', 'StoredFile', 'Job', 'Pod'].flatMap((kind) =>
        cluster.list(kind).map(({ metadata }) => `I5: ${kind} ${metadata.name} is left`),
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
  cluster.onChange((change) => {
    const { kind, type, object, version } = change
    if (kind !== 'Lease') trace.add('cluster', `${type} ${kind} ${object.metadata.name}@${version}`)
    oracle.see(change)
  })
  const written = createWrittenVersions({
    exists: (path, uid) =>
      ['FfmpegCommand', 'StoredFile', 'Job'].some(
        (kind) => cluster.get(kind, namespace, nameIn(path))?.metadata.uid === uid,
      ),
    violated: (what) => oracle.violated(what),
  })
  const world = {
    ...{
      clock,
      random,
      trace,
      oracle,
      server,
      store,
      storage,
      sabotage,
      written,
      leaseSeconds,
      hintBuses: new Map(),
    },
    crashes: createCrashPlan(),
    processes: createKnownProcesses(),
    counts: { terms: 0 },
    logger: traceLogger('', (what) => trace.add('log', what)),
  }
  return { world, database }
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
