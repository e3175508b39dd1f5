import { noHints } from '../../common/store/hints.fixture.ts'
import { Registry } from 'prom-client'
import { createDispatcher } from './dispatcher.ts'
import { createDispatchMetrics } from './dispatch-metrics.ts'
import {
  newCommand,
  source as submittedSource,
  commitOf,
  failed,
} from '../../testing/store-contract/fixtures.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createRequestThrottle } from '../../common/kubernetes/throttle/request-throttle.ts'
import { createFfmpegCommands } from '../../common/kubernetes/resources/ffmpeg-commands.ts'
import { createLeases } from '../../common/kubernetes/resources/leases.ts'
import { createStoredFiles } from '../../common/kubernetes/resources/stored-files.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import { metricsPrefix } from '../../common/runtime/metrics.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import { uuidV7 } from '../../common/ids/uuid-v7.ts'
import { createFakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import { createMemoryStore } from '../../testing/simulator/memory-store/memory-store.ts'
import { createRandom } from '../../testing/support/random.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { sleep } from '../../common/runtime/effects.ts'
import type { Clock, Failpoint } from '../../common/runtime/effects.ts'
import type { Random } from '../../testing/support/random.ts'
import type { NewCommand } from '../../common/store/commands.ts'
import type { CommandSource } from '../../common/command-line/model/command-source.ts'
import type { LifecycleStore } from '../../common/store/store.ts'

export const namespace = 'media'
export const kind = 'FfmpegCommand'
export const accountId = '0197a0c2-0000-7000-8000-000000000001'

/** A dispatcher between a store in memory and an API server in the process, on a virtual clock. */
export function createDispatchWorld(
  options: {
    liveCommands?: number
    lookAhead?: number
    /** Draws latencies of 0.3 to 3 ms and all jitter; without it both are constant. */
    seed?: string
  } = {},
) {
  const clock = createVirtualClock()
  const drawn = options.seed === undefined ? null : createRandom(options.seed)
  let isAway = false
  const store: LifecycleStore = createMemoryStore({
    clock,
    before() {
      if (isAway) throw new DatabaseUnavailable(new Error('away'))
    },
  })
  const random = drawn === null ? () => 0.5 : drawn.fork('jitter').next
  const network = drawn?.fork('network')
  const latencyMs = network === undefined ? () => 1 : () => network.between(0.3, 3)
  const server = createFakeKubeApiserver({ clock, random, latencyMs })
  const registry = new Registry()
  const dispatchMetrics = createDispatchMetrics(registry)
  let ids = 0
  const newId = () => uuidV7(1_700_000_000_000 + (ids += 1), new Uint8Array(10))
  const dispatcher = (failpoint: Failpoint = directly) => {
    const metrics = createKubeMetrics(new Registry())
    // With drawn latencies, the rate limit of main.ts.
    const perSecond = drawn === null ? 10_000 : 400
    const throttle = createRequestThrottle({ clock, perSecond, burst: perSecond })
    const client = createKubeClient({
      transport: server.transport,
      clock,
      random,
      metrics,
      throttle,
    })
    return createDispatcher({
      store: network === undefined ? store : withLatency(store, clock, network),
      commands: createFfmpegCommands(client),
      storedFiles: createStoredFiles(client),
      leases: createLeases(client),
      namespace,
      liveCommands: options.liveCommands ?? 1_000,
      lookAhead: options.lookAhead ?? 1_000,
      hints: noHints,
      effects: { clock, random, newId, failpoint },
      logger: silentLogger,
      metrics: dispatchMetrics,
    })
  }
  const stop = new AbortController()
  let claims = 0
  const first = dispatcher((name, effect) => {
    if (name === 'dispatch.rows_claimed') claims += 1
    return effect()
  })
  return {
    clock,
    store,
    server,
    setAway: (away: boolean) => (isAway = away),
    notify: first.notify,
    run: () => void first.run(stop.signal),
    runUntil: (signal: AbortSignal) => first.run(signal),
    runAnother: (failpoint: Failpoint) => void dispatcher(failpoint).run(stop.signal),
    stop: () => stop.abort(),
    names: () => server.cluster.list(kind).map(({ metadata }) => metadata.name),
    claims: () => claims,
    creates: () => server.calls.filter(({ verb }) => verb === 'create').length,
    async submit(
      count = 1,
      account = 'default',
      source: CommandSource = submittedSource,
      changes: Partial<NewCommand> = {},
    ): Promise<string[]> {
      const owner = await store.ensureAccount({
        accountId: account === 'default' ? accountId : newId(),
        name: account,
        plan: 'unlimited',
      })
      const commands = Array.from({ length: count }, () => ({
        ...newCommand(owner.accountId),
        commandId: newId(),
        source,
        ...changes,
      }))
      await store.insertCommands(commands)
      return commands.map(({ commandId }) => commandId)
    },
    /** The value of a metric, 0 while it has none. */
    async metric(name: string): Promise<number> {
      const values = (await registry.getSingleMetric(metricsPrefix + name)?.get())?.values ?? []
      return values.reduce((sum, { value }) => sum + value, 0)
    },
    async end(commandId: string) {
      await store.commitOutcome(commitOf(commandId, null, failed('CANCELLED')))
    },
    async row(commandId: string) {
      const row = await store.findForReconcile(commandId)
      if (row === null) throw new Error(`no row ${commandId}`)
      return row
    },
  }
}

/** The store with the latency of a network. */
function withLatency(store: LifecycleStore, clock: Clock, network: Random): LifecycleStore {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...args: unknown[]): Promise<unknown> => {
        await sleep(clock, network.between(0.3, 3))
        const answer: unknown = await Reflect.apply(method, target, args)
        return answer
      }
    },
  })
}
