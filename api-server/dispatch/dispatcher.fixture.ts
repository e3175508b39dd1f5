import { Registry } from 'prom-client'
import { createDispatcher } from './dispatcher.ts'
import { createDispatchMetrics } from './dispatch-metrics.ts'
import { newCommand } from '../../common/database/contract/fixtures.ts'
import { directly } from '../../common/failpoint.ts'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createFfmpegCommands } from '../../common/kubernetes/ffmpeg-commands.ts'
import { createStoredFiles } from '../../common/kubernetes/stored-files.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { silentLogger } from '../../common/logger.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import { uuidV7 } from '../../common/system-effects.ts'
import { createFakeKubeApiserver } from '../../e2e/faults/simulator/fake-kube-apiserver/server.ts'
import { createMemoryStore } from '../../e2e/faults/simulator/memory-store.ts'
import { createVirtualClock } from '../../e2e/faults/simulator/virtual-clock.ts'
import type { Failpoint } from '../../common/effects.ts'
import type { RoadStore } from '../../common/store/store.ts'

export const namespace = 'media'
export const kind = 'FfmpegCommand'
export const accountId = '0197a0c2-0000-7000-8000-000000000001'

/** A dispatcher between a store in memory and an API server in the process, on a virtual clock. */
export function createDispatchWorld(options: { liveCommands?: number } = {}) {
  const clock = createVirtualClock()
  let isAway = false
  const store: RoadStore = createMemoryStore({
    clock,
    before() {
      if (isAway) throw new DatabaseUnavailable(new Error('away'))
    },
  })
  const server = createFakeKubeApiserver({ clock, random: () => 0.5 })
  const random = () => 0.5
  let ids = 0
  const newId = () => uuidV7(1_700_000_000_000 + (ids += 1), new Uint8Array(10))
  const dispatcher = (failpoint: Failpoint = directly) => {
    const metrics = createKubeMetrics(new Registry())
    const limits = { perSecond: 10_000, burst: 10_000 }
    const client = createKubeClient({ transport: server.transport, clock, random, metrics, limits })
    return createDispatcher({
      store,
      commands: createFfmpegCommands(client),
      storedFiles: createStoredFiles(client),
      namespace,
      liveCommands: options.liveCommands ?? 100,
      effects: { clock, random, newId, failpoint },
      logger: silentLogger,
      metrics: createDispatchMetrics(new Registry()),
    })
  }
  const stop = new AbortController()
  const first = dispatcher()
  return {
    clock,
    store,
    server,
    setAway: (away: boolean) => (isAway = away),
    nudge: first.nudge,
    run: () => void first.run(stop.signal),
    runUntil: (signal: AbortSignal) => first.run(signal),
    runAnother: (failpoint: Failpoint) => void dispatcher(failpoint).run(stop.signal),
    stop: () => stop.abort(),
    names: () => server.cluster.list(kind).map(({ metadata }) => metadata.name),
    creates: () => server.calls.filter(({ verb }) => verb === 'create').length,
    async submit(count = 1): Promise<string[]> {
      await store.ensureAccount({ accountId, name: 'default', plan: 'unlimited' })
      const commands = Array.from({ length: count }, () => ({
        ...newCommand(accountId),
        commandId: newId(),
      }))
      await store.insertCommands(commands)
      return commands.map(({ commandId }) => commandId)
    },
    async end(commandId: string) {
      const outcome = { status: 'FAILED', errorStatus: 'CANCELLED', errorMessage: 'x' } as const
      const report = { commandId, attempt: null, outcome, steps: null, usage: null, logs: [] }
      await store.commitOutcome(report)
    },
    async row(commandId: string) {
      const row = await store.findForReconcile(commandId)
      if (row === null) throw new Error(`no row ${commandId}`)
      return row
    },
  }
}
