import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createJobs } from '../../common/kubernetes/resources/jobs.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import { createFakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createReflectorMetrics } from './reflector-metrics.ts'
import { createReflector } from './reflector.ts'
import type { Job } from '../../common/kubernetes/resources/objects.ts'
import type { FakeCall } from '../../testing/simulator/kube-apiserver/faults.ts'
import type { FakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import type { VirtualClock } from '../../testing/support/virtual-clock.ts'
import type { Change } from './object-cache.ts'
import type { Reflector } from './reflector.ts'

export interface SlimJob {
  readonly metadata: Job['metadata']
  readonly active: number
}

/** A reflector of Jobs against an API server, and hands to change the truth behind it. */
export interface ReflectorFixture {
  readonly clock: VirtualClock
  readonly server: FakeKubeApiserver
  readonly changes: Change<SlimJob>[]
  readonly reflector: Reflector<SlimJob>
  /** Random number of the API server and the reflector. */
  draw: number
  /** Jobs of this name cannot be projected. */
  poisoned: string
  start(options?: { sync?: boolean; labelSelector?: string }): Promise<void>
  /** Sends later calls to another server. */
  swap(other: FakeKubeApiserver): void
  /** Stops the reflector and sees that it leaves nothing behind. */
  end(): Promise<void>
  create(name: string, labels?: Record<string, string>): void
  setActive(name: string, active: number): void
  relabel(name: string, owner: string): void
  remove(name: string): void
  names(): string[]
  indexed(owner: string): string[]
  calls(verb: string): FakeCall[]
  metric(name: string): Promise<number>
}

export function createReflectorFixture(): ReflectorFixture {
  const clock = createVirtualClock()
  const server = createFakeKubeApiserver({ clock, random: () => fixture.draw })
  const registry = new Registry()
  const reflectorMetrics = createReflectorMetrics(registry)
  const kubeMetrics = createKubeMetrics(registry)
  const stop = new AbortController()
  let transport = server.transport
  let ended: Promise<void> = Promise.resolve()
  let reflector = build()

  const fixture: ReflectorFixture = {
    clock,
    server,
    draw: 0.5,
    changes: [],
    poisoned: '',
    get reflector() {
      return reflector
    },
    async start({ sync = true, labelSelector } = {}) {
      reflector = build(labelSelector)
      ended = reflector.run(stop.signal)
      if (sync) await clock.until(reflector.synced)
      await clock.advance(10)
    },
    swap(other) {
      transport = other.transport
    },
    async end() {
      stop.abort()
      await clock.until(ended)
      await clock.advance(1_000)
      expect(clock.pendingTimers()).to.equal(0)
    },
    create(name, labels = {}) {
      server.cluster.create('Job', 'n', { metadata: { name, labels } })
    },
    setActive(name, active) {
      server.cluster.updateStatus('Job', 'n', name, () => ({ active }))
    },
    relabel(name, owner) {
      server.cluster.update('Job', 'n', name, (object) => ({
        ...object,
        metadata: { ...object.metadata, labels: { owner } },
      }))
    },
    remove: (name) => server.cluster.delete('Job', 'n', name),
    names: () => reflector.list().map(({ metadata }) => metadata.name),
    indexed: (owner) => reflector.byIndex('owner', owner).map(({ metadata }) => metadata.name),
    calls: (verb) => server.calls.filter((call) => call.verb === verb),
    async metric(name) {
      const found = await registry.getSingleMetric(`cloudffmpeg_${name}`)?.get()
      return found?.values[0]?.value ?? 0
    },
  }
  return fixture

  function build(labelSelector?: string): Reflector<SlimJob> {
    const random = (): number => fixture.draw
    const client = createKubeClient({
      clock,
      random,
      metrics: kubeMetrics,
      transport: (request) => transport(request),
    })
    return createReflector<Job, SlimJob>({
      resource: createJobs(client),
      namespace: 'n',
      ...(labelSelector === undefined ? {} : { labelSelector }),
      project(job) {
        if (job.metadata.name === fixture.poisoned) throw new Error('poisoned')
        return { metadata: job.metadata, active: job.status.active }
      },
      indexes: { owner: ({ metadata }) => [metadata.labels?.['owner'] ?? ''] },
      onChange(change) {
        fixture.changes.push(change)
        if (fixture.poisoned !== '') throw new Error('a careless listener')
      },
      clock,
      random,
      logger: silentLogger,
      metrics: reflectorMetrics,
    })
  }
}
