import { isJsonObject } from '../../common/json/json-object.ts'
import { createCrashPlan } from './world/crash-plan.ts'
import type { CrashPlan } from './world/crash-plan.ts'
import { createForgetfulDatabase } from './world/forgetful-database.ts'
import type { Forgets } from './world/forgetful-database.ts'
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
import { isUnbound, poolProblems } from './world/warm-runner-pool.ts'
import { createVirtualClock } from '../support/virtual-clock.ts'
import type { World } from './world/world.ts'
import { createWrittenVersions } from './world/written-versions.ts'

/** Everything that the processes of a run stand on, empty, and the oracle that watches it. */
export function buildWorld(
  random: Random,
  {
    sabotage,
    leaseSeconds,
    forgets,
    warm,
    roomVcpus,
  }: Pick<World, 'sabotage' | 'leaseSeconds' | 'warm' | 'roomVcpus'> & {
    forgets?: Forgets | undefined
  },
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
    isCapacityUnknown: roomVcpus !== null,
    hasObject: (key) => storage.has(key),
    leftovers: (isForgetful) => [
      ...['FfmpegCommand', 'StoredFile', 'Job', 'Pod'].flatMap((kind) =>
        cluster
          .list(kind)
          .filter(({ status }) => !isForgetful || status?.['reason'] !== 'RecordLost')
          .filter((object) => !isUnbound(object))
          .map(({ metadata }) => `I5: ${kind} ${metadata.name} is left`),
      ),
      ...poolProblems(cluster.list('Job').filter(isUnbound), warm),
      ...storage
        .openUploads()
        // One whose row was lost is left to the bucket's own rule for unfinished uploads.
        .filter(() => !isForgetful)
        .map((key) => `I5: an upload to ${key} is open`),
    ],
  })
  const crashes = createCrashPlan()
  const forgetful =
    forgets === undefined
      ? null
      : createForgetfulDatabase(forgets, {
          clock,
          random: random.fork('forgets'),
          onForget(commits) {
            trace.add('fault', `the database forgets ${commits} commits`)
            database.awayFor(random.fork('failover').between(300, 3_000))
            oracle.forgot()
          },
        })
  const meetOrForget: CrashPlan['meet'] = (name) => {
    forgetful?.met(name)
    return crashes.meet(name)
  }
  const counts = { terms: 0, restored: 0, bound: 0 }
  const store = createMemoryStore({
    clock,
    before: () => database.before(),
    after: (method, result) => {
      if (method === 'restoreOutcome' && result === 'restored') counts.restored += 1
      if (method === 'bindWarmRunner' && isBound(result)) counts.bound += 1
      database.after(method)
    },
    history: () => `history ${forgetful?.losses() ?? 0}`,
    reusesWarmRunners: sabotage.reusesWarmRunners ?? false,
    audit: (tables, method) => {
      forgetful?.changed(tables, method)
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
    clock,
    random,
    trace,
    oracle,
    server,
    store,
    storage,
    sabotage,
    roomVcpus,
    warm,
    written,
    leaseSeconds,
    hintBuses: new Map(),
    crashes: forgetful === null ? crashes : { ...crashes, meet: meetOrForget },
    processes: createKnownProcesses(),
    forgotten: () => forgetful?.losses() ?? 0,
    counts,
    logger: traceLogger('', (what) => trace.add('log', what)),
  }
  return { world, database }
}

function isBound(result: unknown): boolean {
  return isJsonObject(result) && result['kind'] === 'bound'
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
