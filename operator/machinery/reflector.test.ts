import { expect } from 'chai'
import fc from 'fast-check'
import { Registry } from 'prom-client'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createJobs } from '../../common/kubernetes/jobs.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { silentLogger } from '../../common/logger.ts'
import { createFakeKubeApiserver } from '../../e2e/faults/simulator/fake-kube-apiserver/server.ts'
import { createVirtualClock } from '../../e2e/faults/simulator/virtual-clock.ts'
import { createReflectorMetrics } from './reflector-metrics.ts'
import { createReflector } from './reflector.ts'
import type { Job } from '../../common/kubernetes/objects.ts'
import type { WatchFault } from '../../e2e/faults/simulator/fake-kube-apiserver/faults.ts'
import type { FakeKubeApiserver } from '../../e2e/faults/simulator/fake-kube-apiserver/server.ts'
import type { VirtualClock } from '../../e2e/faults/simulator/virtual-clock.ts'
import type { Change } from './object-cache.ts'
import type { Reflector } from './reflector.ts'

interface Slim {
  readonly metadata: Job['metadata']
  readonly active: number
}

describe('reflector', () => {
  let clock: VirtualClock
  let server: FakeKubeApiserver
  let registry: Registry
  let reflector: Reflector<Slim>
  let changes: Change<Slim>[]
  let stop: AbortController
  let ended: Promise<void>

  beforeEach(() => {
    clock = createVirtualClock()
    server = createFakeKubeApiserver({ clock, random: () => 0.5 })
    changes = []
    stop = new AbortController()
  })

  afterEach(async () => {
    stop.abort()
    await clock.until(ended)
    expect(clock.pendingTimers()).to.equal(0)
  })

  it('lists all pages, follows from there, and projects at the door', async () => {
    for (let i = 0; i < 1_200; i += 1) create(`job-${String(i).padStart(4, '0')}`)
    await start()
    expect(reflector.list()).to.have.length(1_200)
    expect(calls('list')).to.have.length(3)
    create('late')
    setActive('late', 1)
    await clock.advance(100)
    expect(reflector.get('late')).to.include({ active: 1 })
    expect(Object.keys(reflector.get('late') ?? {})).to.deep.equal(['metadata', 'active'])
  })

  it('is synced only after the first list, however long that fails', async () => {
    server.faults.onRequest = () => ({ answer: { status: 500, reason: 'InternalError' } })
    create('a')
    await start({ sync: false })
    await clock.advance(60_000)
    expect(reflector.isSynced()).to.equal(false)
    server.faults.onRequest = null
    await clock.until(reflector.synced)
    expect(names()).to.deep.equal(['a'])
  })

  it('selects by label and finds by index', async () => {
    create('a', { owner: 'x' })
    create('b', { owner: 'y' })
    await start({ labelSelector: 'owner' })
    create('c', { owner: 'x' })
    create('unlabelled')
    await clock.advance(100)
    expect(names()).to.deep.equal(['a', 'b', 'c'])
    expect(indexed('x')).to.deep.equal(['a', 'c'])
    relabel('a', 'y')
    remove('c')
    await clock.advance(100)
    expect(indexed('x')).to.deep.equal([])
    expect(indexed('y')).to.deep.equal(['b', 'a'])
  })

  it('passes on each change once, with what was before', async () => {
    create('a')
    await start()
    setActive('a', 1)
    remove('a')
    await clock.advance(100)
    const seen = changes.map(({ type, object, previous }) => [
      type,
      object.active,
      previous?.active,
    ])
    expect(seen).to.deep.equal([
      ['added', 0, undefined],
      ['modified', 1, 0],
      ['deleted', 1, undefined],
    ])
  })

  it('needs one request in 40 to 55 s while nothing happens, and no list', async () => {
    create('a')
    await start()
    const before = server.calls.length
    await clock.advance(500_000)
    expect(server.calls.length - before).to.be.within(9, 13)
    expect(calls('list')).to.have.length(1)
    expect(reflector.msSinceContact()).to.be.below(55_000)
  })

  it('survives the compaction of everything but the last bookmark', async () => {
    await start()
    for (let i = 0; i < 10; i += 1) {
      server.cluster.create('Pod', 'n', { metadata: { name: `other-kind-${i}` } })
      await clock.advance(46_000)
    }
    server.compact()
    await clock.advance(60_000)
    expect(calls('list')).to.have.length(1)
  })

  for (const kindOf410 of ['by status', 'in the stream'] as const) {
    it(`lists once after a 410 ${kindOf410}, and tells what vanished meanwhile`, async () => {
      create('a')
      create('b')
      await start({ random: kindOf410 === 'by status' ? 0.1 : 0.9 })
      server.setDown(true)
      remove('a')
      create('c')
      server.compact()
      server.setDown(false)
      await clock.advance(60_000)
      expect(names()).to.deep.equal(['b', 'c'])
      expect(calls('list')).to.have.length(2)
      expect(changes.filter(({ type }) => type === 'deleted').map(nameOf)).to.deep.equal(['a'])
      expect(await metric('watch_relists_total')).to.equal(1)
    })
  }

  it('starts a list over when its version expires in the middle, then asks for all at once', async () => {
    for (let i = 0; i < 600; i += 1) create(`job-${i}`)
    const gone = { answer: { status: 410, reason: 'Expired' } }
    let pages = 0
    server.faults.onRequest = ({ verb }) => {
      if (verb === 'list') pages += 1
      return verb === 'list' && (pages === 2 || pages === 4) ? gone : null
    }
    await start()
    expect(reflector.list()).to.have.length(600)
    expect(pages).to.equal(5)
  })

  it('goes on from its last version after a failure, without a list', async () => {
    create('a')
    await start()
    server.setDown(true)
    await clock.advance(300_000)
    expect(names()).to.deep.equal(['a'])
    create('b')
    const retries = calls('watch').length
    server.setDown(false)
    await clock.advance(35_000)
    expect(names()).to.deep.equal(['a', 'b'])
    expect(calls('list')).to.have.length(1)
    expect(retries).to.be.within(10, 40)
  })

  it('takes an error in the stream for a failed watch, and keeps its place', async () => {
    await start()
    server.faults.nextEvent({ name: 'a' }, { error: { status: 500, reason: 'InternalError' } })
    create('a')
    await clock.advance(5_000)
    expect(names()).to.deep.equal(['a'])
    expect(calls('list')).to.have.length(1)
  })

  it('does not ask in a tight loop when streams end at once', async () => {
    await start()
    const opened = calls('watch').length
    for (let i = 0; i < 600; i += 1) {
      server.closeWatches()
      await clock.advance(100)
    }
    expect(calls('watch').length - opened).to.be.below(60)
  })

  it('notices within 55 s that a stream has gone silent, and mistrusts what it did not hear', async () => {
    await start()
    server.silenceWatches()
    create('a')
    await clock.advance(55_200)
    expect(names()).to.deep.equal(['a'])
  })

  it('ignores what is older than what it knows, also from the dead', async () => {
    await start()
    server.faults.nextEvent({ name: 'a', type: 'MODIFIED' }, 'swap-with-next')
    create('a')
    setActive('a', 1)
    setActive('a', 2)
    await clock.advance(100)
    expect(reflector.get('a')?.active).to.equal(2)
    server.faults.nextEvent({ name: 'a', type: 'MODIFIED' }, 'swap-with-next')
    setActive('a', 3)
    remove('a')
    await clock.advance(100)
    expect(reflector.get('a')).to.equal(null)
    expect(changes.map(({ type }) => type)).to.deep.equal(['added', 'modified', 'deleted'])
  })

  it('repairs lost events within 16 minutes and counts them', async () => {
    create('a')
    create('b')
    await start()
    server.faults.onWatchEvent = ({ type }) => (type === 'BOOKMARK' ? null : 'drop')
    setActive('a', 1)
    remove('b')
    create('c')
    await clock.advance(30_000)
    expect(names()).to.deep.equal(['a', 'b'])
    server.faults.onWatchEvent = null
    await clock.advance(16 * 60_000)
    expect(names()).to.deep.equal(['a', 'c'])
    expect(reflector.get('a')?.active).to.equal(1)
    expect(await metric('watch_repairs_total')).to.equal(3)
  })

  it('compares every 10 to 15 minutes, and finds nothing when nothing was lost', async () => {
    await start()
    for (let minute = 0; minute < 65; minute += 1) {
      create(`job-${minute}`)
      await clock.advance(60_000)
    }
    expect(calls('list')).to.have.lengthOf.within(5, 7)
    expect(await metric('watch_repairs_total')).to.equal(0)
  })

  it('compares with the newest state where the exact one is not to be had', async () => {
    await start()
    server.faults.onRequest = ({ verb, atMs }) =>
      verb === 'list' && atMs > 0 && calls('list').length === 2
        ? { answer: { status: 410, reason: 'Expired' } }
        : null
    await clock.advance(16 * 60_000)
    expect(calls('list')).to.have.length(3)
  })

  it('finds its way when the history of the API server was set back', async () => {
    create('a')
    await start()
    const restored = createFakeKubeApiserver({ clock, random: () => 0.5 })
    server.setDown(true)
    restored.cluster.create('Job', 'n', { metadata: { name: 'old' } })
    swap(restored)
    await clock.advance(120_000)
    expect(names()).to.deep.equal(['old'])
  })

  it('corrects its copy by an uncached read', async () => {
    await start()
    server.faults.onWatchEvent = () => 'drop'
    create('a')
    expect((await clock.until(reflector.refresh('a')))?.metadata.name).to.equal('a')
    setActive('a', 1)
    expect((await clock.until(reflector.refresh('a')))?.active).to.equal(1)
    remove('a')
    expect(await clock.until(reflector.refresh('a'))).to.equal(null)
    expect(await clock.until(reflector.refresh('never'))).to.equal(null)
    expect(changes.map(({ type }) => type)).to.deep.equal(['added', 'modified', 'deleted'])
  })

  it('leaves out an object that it cannot read, and what a listener throws', async () => {
    await start({ failOn: 'bad' })
    create('bad')
    create('good')
    await clock.advance(100)
    expect(names()).to.deep.equal(['good'])
  })

  it('ends at rest on the truth after any faults of its stream', async () => {
    const fault = fc.constantFrom<WatchFault | null>(
      ...([null, null, 'duplicate', 'swap-with-next', 'go-silent', 'close'] as const),
      ...[{ delayMs: 3_000 }, { error: { status: 500, reason: 'InternalError' } }],
      ...[{ error: { status: 410, reason: 'Expired' } }],
    )
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      act: fc.constantFrom('create', 'touch', 'remove', 'wait', 'compact', 'break'),
      fault,
    })
    await start()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        for (const { name, act, fault: next } of steps) {
          server.faults.onWatchEvent = () => next
          perform(act, name)
          await clock.advance(act === 'wait' ? 20_000 : 300)
        }
        server.faults.onWatchEvent = null
        await clock.advance(17 * 60_000)
        const truth = server.cluster.list('Job').map(({ metadata }) => metadata.resourceVersion)
        const copy = reflector.list().map(({ metadata }) => metadata.resourceVersion)
        expect(copy.toSorted()).to.deep.equal(truth.toSorted())
      }),
      { numRuns: 40 },
    )
  })

  let transport: FakeKubeApiserver['transport']

  function swap(other: FakeKubeApiserver): void {
    transport = other.transport
  }

  async function start(
    options: { sync?: boolean; labelSelector?: string; random?: number; failOn?: string } = {},
  ): Promise<void> {
    registry = new Registry()
    const random = (): number => options.random ?? 0.5
    server = options.random === undefined ? server : withRandom(random)
    transport = server.transport
    const metrics = createKubeMetrics(registry)
    const client = createKubeClient({
      ...{ clock, random, metrics },
      transport: (request) => transport(request),
    })
    reflector = createReflector<Job, Slim>({
      resource: createJobs(client),
      namespace: 'n',
      ...(options.labelSelector === undefined ? {} : { labelSelector: options.labelSelector }),
      project(job) {
        if (job.metadata.name === options.failOn) throw new Error('poisoned')
        return { metadata: job.metadata, active: job.status.active }
      },
      indexes: { owner: ({ metadata }) => [metadata.labels?.['owner'] ?? ''] },
      onChange(change) {
        changes.push(change)
        if (options.failOn !== undefined) throw new Error('a careless listener')
      },
      ...{ clock, random, logger: silentLogger, metrics: createReflectorMetrics(registry) },
    })
    ended = reflector.run(stop.signal)
    if (options.sync !== false) await clock.until(reflector.synced)
    await clock.advance(10)
  }

  function withRandom(random: () => number): FakeKubeApiserver {
    const copy = createFakeKubeApiserver({ clock, random })
    for (const { metadata } of server.cluster.list('Job')) {
      copy.cluster.create('Job', 'n', { metadata: { name: metadata.name } })
    }
    return copy
  }

  function perform(act: string, name: string): void {
    const isThere = server.cluster.get('Job', 'n', name) !== null
    if (act === 'create' && !isThere) create(name)
    if (act === 'touch' && isThere) setActive(name, Math.floor(clock.monotonicMs()))
    if (act === 'remove' && isThere) remove(name)
    if (act === 'compact') server.compact()
    if (act === 'break') server.breakWatches()
  }

  function create(name: string, labels: Record<string, string> = {}): void {
    server.cluster.create('Job', 'n', { metadata: { name, labels } })
  }

  function setActive(name: string, active: number): void {
    server.cluster.updateStatus('Job', 'n', name, () => ({ active }))
  }

  function relabel(name: string, owner: string): void {
    server.cluster.update('Job', 'n', name, (object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { owner } },
    }))
  }

  function remove(name: string): void {
    server.cluster.delete('Job', 'n', name)
  }

  function names(): string[] {
    return reflector.list().map(({ metadata }) => metadata.name)
  }

  function indexed(owner: string): string[] {
    return reflector.byIndex('owner', owner).map(({ metadata }) => metadata.name)
  }

  function calls(verb: string) {
    return server.calls.filter((call) => call.verb === verb)
  }

  async function metric(name: string): Promise<number> {
    const found = await registry.getSingleMetric(`cloudffmpeg_${name}`)?.get()
    return found?.values[0]?.value ?? 0
  }
})

function nameOf({ object }: Change<Slim>): string {
  return object.metadata.name
}
