import { expect } from 'chai'
import type { RequestFault } from '../../testing/simulator/kube-apiserver/faults.ts'
import type { Failpoint } from '../../common/runtime/effects.ts'
import { kind, namespace, createDispatchWorld } from './dispatcher.fixture.ts'

describe('the dispatcher under faults', () => {
  const answer = (status: number, reason: string, message = 'x') => ({ status, reason, message })
  const faults: [string, RequestFault][] = [
    ['the reply is lost', 'lose-reply'],
    ['the API server answers 504 after applying', { applyThen: answer(504, 'Timeout', 'late') }],
    ['the request is lost', 'lose-request'],
    ['the API server answers 500', { answer: answer(500, 'InternalError') }],
    ['the API server throttles', { answer: answer(429, 'TooManyRequests') }],
    ['a quota is exhausted', { answer: answer(403, 'Forbidden', 'exceeded quota: x') }],
  ]
  for (const [what, fault] of faults) {
    it(`creates one resource when ${what}`, async () => {
      const world = createDispatchWorld()
      const [id = ''] = await world.submit()
      world.server.faults.next({ verb: 'create' }, fault, 2)
      world.run()
      await world.clock.advance(10_000)
      const [made] = world.server.cluster.list(kind)
      expect(world.names()).to.deep.equal([`ffc-${id}`])
      expect((await world.row(id)).resourceUid).to.equal(made?.metadata.uid)
      world.stop()
    })
  }

  it('backs off while the cluster is unavailable, and continues within 5 s of its return', async () => {
    const world = createDispatchWorld()
    await world.submit(100)
    world.server.setDown(true)
    world.run()
    await world.clock.advance(60_000)
    const tried = world.creates()
    expect(tried).to.be.lessThan(16 * 45)
    world.server.setDown(false)
    await world.clock.advance(5_000)
    expect(world.names()).to.have.length(100)
    world.stop()
  })

  it('the dispatcher waits while the database is unavailable, and continues within 5 s of its return', async () => {
    const world = createDispatchWorld()
    await world.submit(3)
    world.setAway(true)
    world.run()
    await world.clock.advance(60_000)
    expect(world.names()).to.deep.equal([])
    world.setAway(false)
    await world.clock.advance(5_000)
    expect(world.names()).to.have.length(3)
    world.stop()
  })

  it('the dispatcher does not delay other rows when one row fails', async () => {
    const world = createDispatchWorld()
    const [poisoned = '', ...others] = await world.submit(20)
    const fault = { answer: answer(500, 'InternalError') }
    world.server.faults.onRequest = (call) =>
      call.verb === 'create' && JSON.stringify(call.body).includes(poisoned) ? fault : null
    world.run()
    await world.clock.advance(100)
    expect(world.names()).to.have.members(others.map((id) => `ffc-${id}`))
    await world.submit()
    await world.clock.advance(200)
    expect(world.names()).to.have.length(20)
    world.stop()
  })

  it('takes over the rows of a crashed dispatcher within 5 s', async () => {
    for (const point of ['dispatch.rows_claimed', 'dispatch.cr_created']) {
      const world = createDispatchWorld()
      const [id = ''] = await world.submit()
      // The crashed dispatcher's effect happened, but its call never returns, and no effect follows.
      let isDead = false
      world.runAnother(async (name, effect) => {
        if (isDead) return new Promise(() => undefined)
        const result = await effect()
        isDead = name === point
        return isDead ? new Promise(() => undefined) : result
      })
      await world.clock.settle()
      world.run()
      await world.clock.advance(5_000)
      expect(world.names(), point).to.deep.equal([`ffc-${id}`])
      expect((await world.row(id)).resourceUid, point).not.to.equal(null)
      world.stop()
    }
  })

  it('creates each resource once when two dispatchers work on the same rows', async () => {
    const world = createDispatchWorld()
    const ids = await world.submit(50)
    const twice: Failpoint = async (_name, effect) => {
      await effect()
      return effect()
    }
    world.run()
    world.runAnother(twice)
    await world.clock.advance(5_000)
    expect(world.names()).to.have.members(ids.map((id) => `ffc-${id}`))
    world.stop()
  })

  it('ends a command whose name a foreign object has, and leaves that object unchanged', async () => {
    const world = createDispatchWorld()
    const [id = ''] = await world.submit()
    const name = `ffc-${id}`
    const spec = { commandId: id, account: 'default', commands: ['-i {{in_1}} {{out_2}}'] }
    const foreign = world.server.cluster.create(kind, namespace, { metadata: { name }, spec })
    world.run()
    await world.clock.advance(5_000)
    expect(await world.row(id)).to.include({
      status: 'FAILED',
      errorStatus: 'INTERNAL_ERROR',
      resourceUid: null,
    })
    expect(world.server.cluster.get(kind, namespace, name)).to.deep.equal(foreign)
    world.stop()
  })

  it('ends a command that the cluster will never accept', async () => {
    const world = createDispatchWorld()
    const [id = ''] = await world.submit()
    const refusal = { status: 422, reason: 'Invalid', message: 'spec.vcpuCount: too large' }
    world.server.faults.next({ verb: 'create' }, { answer: refusal })
    world.run()
    await world.clock.advance(5_000)
    expect(await world.row(id)).to.include({
      status: 'FAILED',
      errorStatus: 'INTERNAL_ERROR',
      errorMessage: 'The cluster refused the command: 422 Invalid',
    })
    expect(world.creates()).to.equal(1)
    world.stop()
  })
})
