import { expect } from 'chai'
import { accountId, kind, namespace, createDispatchWorld } from './dispatcher.fixture.ts'

describe('the dispatcher', () => {
  it('creates a StoredFile again when its object was deleted', async () => {
    const world = createDispatchWorld()
    await world.submit()
    const fileId = '0197a400-2f10-7c3a-8d11-5b1c2e6f7a02'
    const source = { url: 'http://m.example/a' }
    const file = { fileId, accountId, environmentName: null, ...source, isPrivate: true }
    await world.store.importFile({ ...file, resourceUid: 'uid-1' })
    await world.store.undispatch(fileId, 'uid-1')
    world.run()
    await world.clock.advance(50)
    const object = world.server.cluster.get('StoredFile', namespace, `sf-${fileId}`)
    expect(object?.spec).to.deep.equal({ fileId, account: 'default', source, private: true })
  })

  it('creates the custom resource of a row and records its uid', async () => {
    const world = createDispatchWorld()
    const [id = ''] = await world.submit()
    world.run()
    await world.clock.advance(50)
    const [made] = world.server.cluster.list(kind)
    expect(made?.metadata.name).to.equal(`ffc-${id}`)
    expect(made?.metadata.finalizers).to.deep.equal(['cloudffmpeg.dev/record'])
    expect((await world.row(id)).resourceUid).to.equal(made?.metadata.uid)
    world.stop()
  })

  it('dispatches at once when notified, and otherwise at the next poll', async () => {
    const world = createDispatchWorld()
    world.run()
    await world.clock.advance(10)
    await world.submit()
    world.notify()
    await world.clock.advance(1)
    expect(world.names()).to.have.length(1)
    await world.submit()
    await world.clock.advance(100)
    expect(world.names()).to.have.length(2)
    world.stop()
  })

  it('drains a backlog without waiting between batches', async () => {
    const world = createDispatchWorld({ liveCommands: 1_000 })
    await world.submit(500)
    world.run()
    await world.clock.advance(99)
    expect(world.names()).to.have.length(500)
    world.stop()
  })

  it('keeps rows above the limit of live resources in the database until one is deleted', async () => {
    const world = createDispatchWorld({ liveCommands: 3 })
    const ids = await world.submit(5)
    world.run()
    await world.clock.advance(5_000)
    expect(world.names()).to.have.members(ids.slice(0, 3).map((id) => `ffc-${id}`))
    await world.end(ids[0] ?? '')
    await world.store.markResourceDeleted(ids[0] ?? '')
    await world.clock.advance(200)
    expect(world.names()).to.have.length(4)
    world.stop()
  })

  it('claims 20 times a second at most while the cluster is full, however often it is notified', async () => {
    const world = createDispatchWorld({ liveCommands: 1 })
    const [first = ''] = await world.submit(2)
    world.run()
    await world.clock.advance(1_000)
    const before = world.claims()
    for (let ms = 0; ms < 1_000; ms += 5) {
      world.notify()
      await world.clock.advance(5)
    }
    expect(world.claims() - before).to.be.within(10, 22)
    await world.end(first)
    await world.store.markResourceDeleted(first)
    world.notify()
    await world.clock.advance(60)
    expect(world.names()).to.have.length(2)
    world.stop()
  })

  it('the dispatcher ends with its signal after the dispatches in flight', async () => {
    const world = createDispatchWorld()
    await world.submit(5)
    const stop = new AbortController()
    const running = world.runUntil(stop.signal)
    stop.abort()
    await world.clock.until(running)
    expect(world.names()).to.have.length(5)
    expect(world.clock.pendingTimers()).to.equal(0)
  })
})
