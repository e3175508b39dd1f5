import { expect } from 'chai'
import { createReflectorFixture } from './reflector.fixture.ts'
import type { FakeKubeApiserver } from '../../../testing/simulator/kube-apiserver/server.ts'
import type { VirtualClock } from '../../../testing/support/virtual-clock.ts'
import type { ReflectorFixture } from './reflector.fixture.ts'

describe('reflector', () => {
  let fixture: ReflectorFixture
  let clock: VirtualClock
  let server: FakeKubeApiserver

  beforeEach(() => {
    fixture = createReflectorFixture()
    ;({ clock, server } = fixture)
  })

  afterEach(() => fixture.end())

  it('lists all pages, watches from there, and stores projected objects', async () => {
    for (let i = 0; i < 1_200; i += 1) fixture.create(`job-${String(i).padStart(4, '0')}`)
    await fixture.start()
    expect(fixture.reflector.list()).to.have.length(1_200)
    expect(fixture.calls('list')).to.have.length(12)
    fixture.create('late')
    fixture.setActive('late', 1)
    await clock.advance(100)
    expect(fixture.reflector.get('late')).to.include({ active: 1 })
    expect(Object.keys(fixture.reflector.get('late') ?? {})).to.deep.equal(['metadata', 'active'])
  })

  it('reports that it is synced only after the first list succeeds', async () => {
    server.faults.onRequest = () => ({ answer: { status: 500, reason: 'InternalError' } })
    fixture.create('a')
    await fixture.start({ sync: false })
    await clock.advance(60_000)
    expect(fixture.reflector.isSynced()).to.equal(false)
    server.faults.onRequest = null
    await clock.until(fixture.reflector.synced)
    expect(fixture.names()).to.deep.equal(['a'])
  })

  it('selects by label and finds by index', async () => {
    fixture.create('a', { owner: 'x' })
    fixture.create('b', { owner: 'y' })
    await fixture.start({ labelSelector: 'owner' })
    fixture.create('c', { owner: 'x' })
    fixture.create('unlabelled')
    await clock.advance(100)
    expect(fixture.names()).to.deep.equal(['a', 'b', 'c'])
    expect(fixture.indexed('x')).to.deep.equal(['a', 'c'])
    fixture.relabel('a', 'y')
    fixture.remove('c')
    await clock.advance(100)
    expect(fixture.indexed('x')).to.deep.equal([])
    expect(fixture.indexed('y')).to.deep.equal(['b', 'a'])
  })

  it('reports each change once, with the previous object', async () => {
    fixture.create('a')
    await fixture.start()
    fixture.setActive('a', 1)
    fixture.remove('a')
    await clock.advance(100)
    const seen = fixture.changes.map(({ type, object, previous }) => [
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

  it('sends one watch request in 40 to 55 s, and no list, when nothing changes', async () => {
    fixture.create('a')
    await fixture.start()
    const before = server.calls.length
    await clock.advance(500_000)
    expect(server.calls.length - before).to.be.within(9, 13)
    expect(fixture.calls('list')).to.have.length(1)
    expect(fixture.reflector.msSinceContact()).to.be.below(55_000)
  })

  it('compares its copy every 10 to 15 minutes, without a repair when no event was lost', async () => {
    await fixture.start()
    for (let minute = 0; minute < 65; minute += 1) {
      fixture.create(`job-${minute}`)
      await clock.advance(60_000)
    }
    expect(fixture.calls('list')).to.have.lengthOf.within(5, 7)
    expect(await fixture.metric('watch_repairs_total')).to.equal(0)
  })

  it('corrects its copy when an object is read past the cache', async () => {
    await fixture.start()
    server.faults.onWatchEvent = () => 'drop'
    fixture.create('a')
    expect((await clock.until(fixture.reflector.refresh('a')))?.metadata.name).to.equal('a')
    fixture.setActive('a', 1)
    expect((await clock.until(fixture.reflector.refresh('a')))?.active).to.equal(1)
    fixture.remove('a')
    expect(await clock.until(fixture.reflector.refresh('a'))).to.equal(null)
    expect(await clock.until(fixture.reflector.refresh('never'))).to.equal(null)
    expect(fixture.changes.map(({ type }) => type)).to.deep.equal(['added', 'modified', 'deleted'])
  })

  it('keeps an object that was created during the LIST', async () => {
    fixture.create('a')
    await fixture.start()
    server.faults.onWatchEvent = ({ type }) => (type === 'DELETED' ? 'drop' : null)
    fixture.remove('a')
    server.faults.next({ verb: 'get' }, { replyAfterMs: 1_000 })
    const refreshed = fixture.reflector.refresh('a')
    clock.schedule(500, () => fixture.create('a'))
    expect(await clock.until(refreshed)).not.to.equal(null)
    expect(fixture.names()).to.deep.equal(['a'])
  })

  it('leaves out an object that it cannot project, and ignores errors of listeners', async () => {
    fixture.poisoned = 'bad'
    await fixture.start()
    fixture.create('bad')
    fixture.create('good')
    await clock.advance(100)
    expect(fixture.names()).to.deep.equal(['good'])
  })

  it('counts the objects that it cannot read, found by a list or an event, until they can be read or are gone', async () => {
    const unreadable = () => fixture.metric('cache_unreadable_objects')
    fixture.poisoned = 'bad'
    fixture.create('bad')
    fixture.create('good')
    await fixture.start()
    expect(await unreadable()).to.equal(1)
    fixture.setActive('bad', 1)
    await clock.advance(100)
    expect(await unreadable()).to.equal(1)
    fixture.remove('bad')
    await clock.advance(100)
    expect(await unreadable()).to.equal(0)
    fixture.create('bad')
    await clock.advance(100)
    expect(await unreadable()).to.equal(1)
    fixture.poisoned = ''
    fixture.setActive('bad', 1)
    await clock.advance(100)
    expect(await unreadable()).to.equal(0)
    expect(fixture.names()).to.have.members(['bad', 'good'])
  })
})
