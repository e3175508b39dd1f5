import { expect } from 'chai'
import fc from 'fast-check'
import { createFakeKubeApiserver } from '../../../testing/simulator/kube-apiserver/server.ts'
import { createReflectorFixture } from './reflector.fixture.ts'
import type { WatchFault } from '../../../testing/simulator/kube-apiserver/faults.ts'
import type { FakeKubeApiserver } from '../../../testing/simulator/kube-apiserver/server.ts'
import type { VirtualClock } from '../../../testing/support/virtual-clock.ts'
import type { Change } from './object-cache.ts'
import type { ReflectorFixture, SlimJob } from './reflector.fixture.ts'

describe('reflector against a hostile API server', () => {
  let fixture: ReflectorFixture
  let clock: VirtualClock
  let server: FakeKubeApiserver

  beforeEach(() => {
    fixture = createReflectorFixture()
    ;({ clock, server } = fixture)
  })

  afterEach(() => fixture.end())

  it('the reflector does not list again when all versions but the last bookmark are compacted', async () => {
    await fixture.start()
    for (let i = 0; i < 10; i += 1) {
      server.cluster.create('Pod', 'n', { metadata: { name: `other-kind-${i}` } })
      await clock.advance(46_000)
    }
    server.compact()
    await clock.advance(60_000)
    expect(fixture.calls('list')).to.have.length(1)
  })

  for (const kindOf410 of ['by status', 'in the stream'] as const) {
    it(`lists once after a 410 ${kindOf410}, and reports what vanished meanwhile`, async () => {
      fixture.draw = kindOf410 === 'by status' ? 0.1 : 0.9
      fixture.create('a')
      fixture.create('b')
      await fixture.start()
      server.setDown(true)
      fixture.remove('a')
      fixture.create('c')
      server.compact()
      server.setDown(false)
      await clock.advance(60_000)
      expect(fixture.names()).to.deep.equal(['b', 'c'])
      expect(fixture.calls('list')).to.have.length(2)
      expect(fixture.changes.filter(({ type }) => type === 'deleted').map(nameOf)).to.deep.equal([
        'a',
      ])
      expect(await fixture.metric('watch_relists_total')).to.equal(1)
    })
  }

  it('restarts a list when its version expires between two pages, then requests all in one page', async () => {
    for (let i = 0; i < 600; i += 1) fixture.create(`job-${i}`)
    const gone = { answer: { status: 410, reason: 'Expired' } }
    let pages = 0
    server.faults.onRequest = ({ verb }) => {
      if (verb === 'list') pages += 1
      return verb === 'list' && (pages === 2 || pages === 4) ? gone : null
    }
    await fixture.start()
    expect(fixture.reflector.list()).to.have.length(600)
    expect(pages).to.equal(5)
  })

  it('watches from its last version, without a list, when the API server returns', async () => {
    fixture.create('a')
    await fixture.start()
    server.setDown(true)
    await clock.advance(300_000)
    expect(fixture.names()).to.deep.equal(['a'])
    fixture.create('b')
    const retries = fixture.calls('watch').length
    server.setDown(false)
    await clock.advance(2_000)
    expect(fixture.names()).to.deep.equal(['a', 'b'])
    expect(fixture.calls('list')).to.have.length(1)
    expect(retries).to.be.within(150, 600)
  })

  it('watches again from its last version when the stream carries an error', async () => {
    await fixture.start()
    server.faults.nextEvent({ name: 'a' }, { error: { status: 500, reason: 'InternalError' } })
    fixture.create('a')
    await clock.advance(5_000)
    expect(fixture.names()).to.deep.equal(['a'])
    expect(fixture.calls('list')).to.have.length(1)
  })

  it('opens fewer than 60 watches a minute when each stream ends at once', async () => {
    await fixture.start()
    const opened = fixture.calls('watch').length
    for (let i = 0; i < 600; i += 1) {
      server.closeWatches()
      await clock.advance(100)
    }
    expect(fixture.calls('watch').length - opened).to.be.below(60)
  })

  it('finds a missed object within 55 s when a stream goes silent', async () => {
    await fixture.start()
    server.silenceWatches()
    fixture.create('a')
    await clock.advance(55_200)
    expect(fixture.names()).to.deep.equal(['a'])
  })

  it('finds a missed object within 55 s when a stream ends without any event', async () => {
    await fixture.start()
    server.faults.onWatchEvent = () => 'drop'
    fixture.create('a')
    await clock.advance(55_200)
    expect(fixture.names()).to.deep.equal(['a'])
  })

  it('ignores an event when it has a newer state of the object or its deletion', async () => {
    await fixture.start()
    server.faults.nextEvent({ name: 'a', type: 'MODIFIED' }, 'swap-with-next')
    fixture.create('a')
    fixture.setActive('a', 1)
    fixture.setActive('a', 2)
    await clock.advance(100)
    expect(fixture.reflector.get('a')?.active).to.equal(2)
    server.faults.nextEvent({ name: 'a', type: 'MODIFIED' }, 'swap-with-next')
    fixture.setActive('a', 3)
    fixture.remove('a')
    await clock.advance(100)
    expect(fixture.reflector.get('a')).to.equal(null)
    expect(fixture.changes.map(({ type }) => type)).to.deep.equal(['added', 'modified', 'deleted'])
  })

  it('corrects its copy within 16 minutes, and counts the differences, when events are lost', async () => {
    fixture.create('a')
    fixture.create('b')
    await fixture.start()
    server.faults.onWatchEvent = ({ type }) => (type === 'BOOKMARK' ? null : 'drop')
    fixture.setActive('a', 1)
    fixture.remove('b')
    fixture.create('c')
    await clock.advance(30_000)
    expect(fixture.names()).to.deep.equal(['a', 'b'])
    server.faults.onWatchEvent = null
    await clock.advance(16 * 60_000)
    expect(fixture.names()).to.deep.equal(['a', 'c'])
    expect(fixture.reflector.get('a')?.active).to.equal(1)
    expect(await fixture.metric('watch_repairs_total')).to.equal(3)
  })

  it('compares with the newest state when the exact version is unavailable', async () => {
    await fixture.start()
    const ahead = { answer: { status: 504, reason: 'Timeout' } }
    server.faults.onRequest = ({ query }) =>
      query['resourceVersionMatch'] === 'Exact' ? ahead : null
    await clock.advance(16 * 60_000)
    const plain = fixture.calls('list').filter(({ query }) => !('resourceVersionMatch' in query))
    expect(plain).to.have.length(2)
  })

  it('lists again when the API server was restored to an earlier version', async () => {
    fixture.create('a')
    fixture.setActive('a', 1)
    await fixture.start()
    const restored = createFakeKubeApiserver({ clock, random: () => 0.5 })
    server.setDown(true)
    restored.cluster.create('Job', 'n', { metadata: { name: 'old' } })
    fixture.swap(restored)
    await clock.advance(120_000)
    expect(fixture.names()).to.deep.equal(['old'])
  })

  it('the reflector has the objects of the API server after any sequence of stream faults', async () => {
    const fault = fc.constantFrom<WatchFault | null>(
      null,
      null,
      'duplicate',
      'swap-with-next',
      'go-silent',
      'close',
      { delayMs: 3_000 },
      { error: { status: 500, reason: 'InternalError' } },
      { error: { status: 410, reason: 'Expired' } },
    )
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      act: fc.constantFrom('create', 'touch', 'remove', 'wait', 'compact', 'break'),
      fault,
    })
    await fixture.start()
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
        const copy = fixture.reflector.list().map(({ metadata }) => metadata.resourceVersion)
        expect(copy.toSorted()).to.deep.equal(truth.toSorted())
      }),
      { numRuns: 40 },
    )
  })

  function perform(act: string, name: string): void {
    const isThere = server.cluster.get('Job', 'n', name) !== null
    if (act === 'create' && !isThere) fixture.create(name)
    if (act === 'touch' && isThere) fixture.setActive(name, Math.floor(clock.monotonicMs()))
    if (act === 'remove' && isThere) fixture.remove(name)
    if (act === 'compact') server.compact()
    if (act === 'break') server.breakWatches()
  }
})

function nameOf({ object }: Change<SlimJob>): string {
  return object.metadata.name
}
