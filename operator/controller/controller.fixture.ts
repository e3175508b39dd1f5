import { noHints } from '../../common/store/hints.fixture.ts'
import { Registry } from 'prom-client'
import { createFakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import { createMemoryStore } from '../../testing/simulator/memory-store/memory-store.ts'
import { copyTables, replaceTables } from '../../testing/simulator/world/copy-tables.ts'
import type { Tables } from '../../testing/simulator/memory-store/memory-rows.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import type { Effects, Failpoint } from '../../common/runtime/effects.ts'
import { newCommand } from '../../testing/store-contract/fixtures.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createRequestThrottle } from '../../common/kubernetes/throttle/request-throttle.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import { planWith } from '../../testing/support/plans.ts'
import { jobName } from '../../common/domain/resource-names.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import type { Plan } from '../../common/domain/plans.ts'
import type { NewCommand } from '../../common/store/commands.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { FfmpegCommandSpec, FfmpegCommandStatus } from '../../crds/ffmpegcommand.ts'
import type { StoredFileSpec } from '../../crds/storedfile.ts'
import { dispatchedObject, dispatchedSpec } from './dispatched-object.fixture.ts'
import { createFakeStorage } from '../../testing/simulator/world/fake-storage.ts'
import { gatewaySettings } from '../../testing/simulator/world/settings.ts'
import { noHousekeeping } from '../../testing/support/operator/no-housekeeping.ts'
import type { StageTime } from '../../common/store/lifecycle/stage-times.ts'
import type { EventRecorder } from '../machinery/event-recorder.ts'
import { operatorMetrics } from '../metrics.ts'
import { createOperator } from '../operator.ts'
import type { Leadership } from './leadership.ts'
import { controllerSettings } from './controller-settings.fixture.ts'
import { permanentLeader } from './permanent-leader.fixture.ts'
import { fakeStorage } from './fake-storage.fixture.ts'
import { createWarmRunnerWaiters } from '../warm/warm-runner-waiters.ts'
import { account, guest, namespace } from './world-parts.fixture.ts'
import type { FakePod, WorldOptions } from './world-parts.fixture.ts'
import type { StoredObject } from '../../common/storage/object-store.ts'

/** The controller against an API server in the process and a store in memory, on a virtual clock. */
export type World = ReturnType<typeof createWorld>

export function createWorld(
  failpoint: Failpoint = directly,
  changes: Partial<Plan> = {},
  {
    liveJobs = 500,
    latencyMs = () => 1,
    startingPods = null,
    runner = {},
    accounts = {},
  }: WorldOptions = {},
) {
  const plan = planWith({ maxRunSeconds: 300, ...changes })
  let statements = 0
  const clock = createVirtualClock()
  const server = createFakeKubeApiserver({ clock, random: () => 0.3, latencyMs })
  const outage = { database: false, storage: false }
  /** Objects that the operator itself has put. */
  const kept = new Map<string, Uint8Array>()
  let tables: Tables | null = null
  let losses = 0
  let registry = new Registry()
  const store = createMemoryStore({
    clock,
    before() {
      statements += 1
      if (outage.database) throw new DatabaseUnavailable(new Error('away'))
    },
    audit(now) {
      tables = now
    },
    history: () => `history ${losses}`,
  })
  let ids = 0
  const effects: Effects = {
    clock,
    random: () => 0.5,
    newId: () => `0197a3f1-0000-7000-8000-${String(++ids).padStart(12, '0')}`,
    failpoint,
  }
  const waiters = createWarmRunnerWaiters(clock)
  const status = (name: string): FfmpegCommandStatus | undefined =>
    server.cluster.get('FfmpegCommand', namespace, name)?.status
  const jobNames = () => server.cluster.list('Job').map(({ metadata }) => metadata.name)
  const [events, notes]: [string[], string[]] = [[], []]
  const swept: string[] = []
  const stages: StageTime[] = []
  /** Objects in the bucket, by key. */
  const stored = new Map<string, StoredObject>()
  let running: { leadership: Leadership; stop: () => void; cachesEnd: Promise<void> } | null = null

  return {
    accountId: account.accountId,
    statements: () => statements,
    metrics: () => registry.metrics(),
    waiters,
    clock,
    server,
    store,
    outage,
    events,
    notes,
    swept,
    stages,
    stored,
    kept,
    /** Notifies the leader as the gateway of its process does. */
    rowChanged: (...change: Parameters<Leadership['rowChanged']>) =>
      running?.leadership.rowChanged(...change),

    remember,
    start,
    stop,
    crash,
    submit,
    dispatched,
    pod,
    run,
    runPod,
    succeed,
    status,
    rowOf,
    jobNames,
  }

  async function start(): Promise<void> {
    registry = new Registry()
    const own = operatorMetrics(registry)
    const startEnded = (ended: readonly StageTime[]): void => void stages.push(...ended)
    const metrics = { ...own, controller: { ...own.controller, startEnded } }
    const throttle = createRequestThrottle({ clock, waited: metrics.kube.waited })
    const client = createKubeClient({
      transport: server.transport,
      clock,
      random: () => 0.5,
      metrics: metrics.kube,
      throttle,
    })
    const recorder: Pick<EventRecorder, 'record'> = {
      record({ reason, note }) {
        events.push(reason)
        notes.push(note)
      },
    }
    const { caches, leadership } = createOperator({
      kube: { client, throttle },
      database: { store, hints: noHints },
      storage: { ...createFakeStorage(), ...fakeStorage({ swept, stored, kept, outage }) },
      leading: {
        createLeader: permanentLeader,
        partsOf: () => ({
          recorder,
          canResize: async () => true,
          housekeeping: noHousekeeping,
          noticeForeign: null,
        }),
      },
      runners: {
        waiters,
        identityOf: () => ({ verify: () => Promise.reject(new Error('no runner calls')) }),
      },
      settings: {
        namespaces: [namespace, guest],
        plans: { small: plan },
        controller: controllerSettings({ liveJobs, startingPods, accounts, runner }),
        gateway: gatewaySettings,
      },
      metrics,
      effects,
      logger: silentLogger,
    })
    const stopping = new AbortController()
    const cachesEnd = caches.run(stopping.signal)
    await clock.runUntil(() => caches.isSynced(), 60_000)
    await leadership.start()
    running = { leadership, stop: () => stopping.abort(new Error('stopping')), cachesEnd }
    await clock.settle()
  }

  /** @returns how to lose all commits from now on */
  function remember(): () => void {
    if (tables === null) throw new Error('there is no commit')
    const now = tables
    const copy = copyTables(now)
    return () => {
      replaceTables(now, copy)
      losses += 1
    }
  }

  /** Ends as after a SIGTERM: work in flight ends, nothing new begins. */
  async function stop(): Promise<void> {
    const ending = running
    crash()
    if (ending !== null)
      await clock.until(Promise.all([ending.cachesEnd, ending.leadership.stop()]))
  }

  /** Nothing is finished and nothing waited for; effects of the old one are refused by now. */
  function crash(): void {
    running?.stop()
    void running?.leadership.stop()
    running = null
  }

  /** Makes a row and its custom resource, as submission and dispatch do. */
  async function submit(
    commandId: string,
    changes: Partial<NewCommand> = {},
    form: 'inline' | 'reference' = 'inline',
  ): Promise<void> {
    await store.ensureAccount(account)
    const { accountId } = account
    const command = { ...newCommand(accountId), commandId, ...changes }
    await store.insertCommands([command])
    const claim = { limit: 10, liveLimit: 1000, lookAhead: 1000, leaseSeconds: 30, retries: true }
    await store.claimUndispatched(claim)
    await dispatched(dispatchedSpec(command, account.name, form))
    await clock.settle()
  }

  async function dispatched(spec: FfmpegCommandSpec | StoredFileSpec): Promise<void> {
    const kind = 'source' in spec ? 'StoredFile' : 'FfmpegCommand'
    const key = await store.readDispatchKey()
    server.cluster.create(kind, namespace, dispatchedObject(key, spec))
  }

  /** Simulates the Job controller and a node: a pod of the Job, which requests its command. */
  async function pod(jobName: string, suffix = 'aaaaa', at = namespace): Promise<FakePod> {
    const job = server.cluster.get('Job', at, jobName)
    if (job === null) throw new Error(`no Job ${jobName}`)
    const name = `${jobName}-${suffix}`
    const labels = job.metadata.labels ?? {}
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: jobName, uid: job.metadata.uid }
    const { metadata } = server.cluster.create('Pod', at, {
      metadata: {
        name,
        labels,
        ownerReferences: [{ ...owner, controller: true }],
      },
      spec: { nodeName: 'node-1', terminationGracePeriodSeconds: 15 },
    })
    server.cluster.updateStatus('Pod', at, name, () => ({ phase: 'Running' }))
    const end = (status: object): void => {
      server.cluster.updateStatus('Pod', at, name, () => ({ phase: 'Failed', ...status }))
    }
    return { name, uid: metadata.uid, end, complete: () => end({ phase: 'Succeeded' }) }
  }

  async function run(commandId: string, changes: Partial<NewCommand> = {}): Promise<FakePod> {
    await submit(commandId, changes)
    return runPod(commandId)
  }

  /** A pod of the command's first generation, and that it is assigned the command. */
  async function runPod(commandId: string, at = namespace): Promise<FakePod> {
    const name = jobName(commandId, 1)
    await clock.runUntil(() => jobNames().includes(name), 5_000)
    const running = await pod(name, undefined, at)
    // The containers start.
    await clock.advance(300)
    await store.claimAttempt({ commandId, jobGeneration: 1, podUid: running.uid })
    await clock.advance(1_000)
    return running
  }

  /** Commits the success of an attempt that made no file, as the gateway does. */
  async function succeed(commandId: string, podUid: string): Promise<void> {
    await store.commitOutcome({
      commandId,
      attempt: podUid,
      outcome: { status: 'SUCCESS', files: [] },
      steps: null,
      usage: null,
      logs: [],
    })
  }

  async function rowOf(commandId: string): Promise<ReconcileRow> {
    const found = await store.findForReconcile(commandId)
    if (found === null) throw new Error(`no row ${commandId}`)
    return found
  }
}
