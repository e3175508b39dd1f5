import { expect } from 'chai'
import { createRandom } from '../../testing/support/random.ts'
import type { FakeCall, RequestFault } from '../../testing/simulator/kube-apiserver/faults.ts'
import { customResourceName } from '../../common/domain/resource-names.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { createDispatchWorld, kind } from './dispatcher.fixture.ts'

type World = ReturnType<typeof createDispatchWorld>

const internalError = { answer: { status: 500, reason: 'InternalError', message: 'too large' } }
const tenants = 10
const poisonRows = 100

describe('dispatch beside rows that cannot be created', () => {
  for (const [what, fault] of [
    ['are answered with 500', internalError],
    ['get no answer', 'hang'],
  ] as const) {
    it(`delays none of ten other accounts while 100 rows ${what}`, async () => {
      const alone = await delaysOfTenants(null)
      const beside = await delaysOfTenants(fault)
      expect(at(beside, 0.99)).to.be.at.most(1.2 * at(alone, 0.99))
    })
  }

  it('ends 100 rows that are answered with 500 within four minutes, each once, with the reason', async () => {
    const world = createDispatchWorld({ seed: 'verdicts' })
    const ids = await world.submit(poisonRows, 'poison')
    world.server.faults.onRequest = (call) => (isOf('poison', call) ? internalError : null)
    world.run()
    world.runAnother(directly)
    await world.clock.advance(59_000)
    expect(await ended(world, ids)).to.deep.equal([])
    await world.clock.advance(181_000)
    expect(await ended(world, ids)).to.deep.equal(ids)
    expect(await world.row(ids[0] ?? '')).to.include({
      errorStatus: 'INTERNAL_ERROR',
      errorMessage: 'The cluster refused the command: 500 InternalError',
    })
    expect(await world.metric('dispatch_refused_total')).to.equal(poisonRows)
    expect(await world.metric('dispatch_breaker_open')).to.equal(0)
    world.stop()
  })

  for (const [what, isHit] of [
    ['answers nothing', null],
    ['answers every write with 500 but dry runs with 201', isWrite],
    ['answers every create of a command with 429', isCreate],
  ] as const) {
    it(`ends no row while the API server ${what} for ten minutes, and creates all within 5 s of its return`, async () => {
      const world = createDispatchWorld({ seed: what })
      const ids = await world.submit(200)
      const status = isHit === isCreate ? 429 : 500
      if (isHit === null) world.server.setDown(true)
      else {
        const answer = { status, reason: 'x', message: 'x' }
        world.server.faults.onRequest = (call) => (isHit(call) ? { answer } : null)
      }
      world.run()
      world.runAnother(directly)
      await world.clock.advance(600_000)
      expect(await world.metric('dispatch_breaker_open')).to.equal(1)
      expect(await ended(world, ids)).to.deep.equal([])
      world.server.setDown(false)
      world.server.faults.onRequest = null
      await world.clock.advance(5_000)
      expect(world.names()).to.have.length(200)
      expect(await world.metric('dispatch_breaker_open')).to.equal(0)
      world.stop()
    })
  }

  it('ends no row while the service lacks the right to create commands, and creates all afterwards', async () => {
    const world = createDispatchWorld({ seed: 'rights' })
    const ids = await world.submit(200)
    const answer = { status: 403, reason: 'Forbidden', message: 'cannot create' }
    world.server.faults.onRequest = (call) => (isCreate(call) ? { answer } : null)
    world.run()
    await world.clock.advance(600_000)
    expect(await ended(world, ids)).to.deep.equal([])
    // 16 rows at a time, each in its own backoff, instead of 200 rows without backoff.
    expect(world.creates()).to.be.lessThan(200 * 30)
    world.server.faults.onRequest = null
    await world.clock.advance(90_000)
    expect(world.names()).to.have.length(200)
    world.stop()
  })

  it('dispatches the other rows when a policy refuses the canary too', async () => {
    const world = createDispatchWorld({ seed: 'policy' })
    const answer = { status: 422, reason: 'Invalid', message: 'ValidatingAdmissionPolicy' }
    world.server.faults.onRequest = (call) => {
      if (call.query['dryRun'] === 'All') return { answer }
      return isOf('poison', call) ? internalError : null
    }
    const poisoned = await world.submit(5, 'poison')
    world.run()
    await world.clock.advance(10_000)
    const good = await world.submit(20, 'good')
    await world.clock.advance(5_000)
    expect(world.names()).to.have.members(good.map((id) => customResourceName(id)))
    await world.clock.advance(300_000)
    // Without a canary, failures of the row and of the cluster cannot be separated.
    expect(await ended(world, poisoned)).to.deep.equal([])
    world.stop()
  })

  it('ends a row at once when its custom resource is above the largest size', async () => {
    const world = createDispatchWorld()
    await world.submit(1)
    const [id = ''] = await world.submit(1, 'large', undefined, {
      environmentName: '&'.repeat(3_000),
    })
    world.run()
    await world.clock.advance(1_000)
    expect(await world.row(id)).to.include({
      errorStatus: 'INTERNAL_ERROR',
      errorMessage: 'The command takes 19 KB in the cluster, at most 10 KB',
    })
    expect(await world.metric('dispatch_oversized_total')).to.equal(1)
    expect(world.names()).to.have.length(1)
    expect(world.creates()).to.equal(1)
    world.stop()
  })
})

/** The part of the two minutes that is measured while the failing rows are retried. */
const measured = { fromMs: 5_000, untilMs: 125_000 }

/** Milliseconds from the commit of each command of the ten to its custom resource, sorted. */
async function delaysOfTenants(fault: RequestFault | null): Promise<number[]> {
  const world = createDispatchWorld({ seed: 'tenants', liveCommands: 100_000 })
  const { clock, server } = world
  server.faults.onRequest = (call) => (isOf('poison', call) ? fault : null)
  const acceptedMs = new Map<string, number>()
  const delays: number[] = []
  server.cluster.onChange(({ type, object }) => {
    const since = acceptedMs.get(object.metadata.name)
    if (type === 'ADDED' && since !== undefined) delays.push(clock.monotonicMs() - since)
  })
  world.run()
  world.runAnother(directly)
  if (fault !== null) clock.schedule(measured.fromMs, () => void world.submit(poisonRows, 'poison'))
  const random = createRandom('arrivals')
  for (let tenant = 1; tenant <= tenants; tenant += 1) {
    const own = random.fork(`tenant ${tenant}`)
    const submitOne = async (): Promise<void> => {
      if (clock.monotonicMs() > measured.untilMs) return
      clock.schedule(own.between(100, 900), () => void submitOne())
      const [id = ''] = await world.submit(1, `tenant-${tenant}`)
      const nowMs = clock.monotonicMs()
      if (nowMs >= measured.fromMs) acceptedMs.set(customResourceName(id), nowMs)
      world.notify()
    }
    void submitOne()
  }
  await clock.advance(240_000)
  world.stop()
  expect(delays).to.have.length(acceptedMs.size)
  const failed = await world.metric('dispatch_refused_total')
  expect(failed).to.equal(fault === null ? 0 : poisonRows)
  return delays.toSorted((a, b) => a - b)
}

function at(sorted: readonly number[], quantile: number): number {
  return Number((sorted[Math.floor(sorted.length * quantile)] ?? Infinity).toFixed(2))
}

async function ended(world: World, ids: readonly string[]): Promise<string[]> {
  const rows = await Promise.all(ids.map((id) => world.row(id)))
  return rows.flatMap(({ commandId, status }) => (status === 'FAILED' ? [commandId] : []))
}

function isOf(account: string, { verb, kind: of, body }: FakeCall): boolean {
  return verb === 'create' && of === kind && JSON.stringify(body).includes(`"account":"${account}"`)
}

function isCreate({ verb, kind: of }: FakeCall): boolean {
  return verb === 'create' && of === kind
}

function isWrite({ verb, query }: FakeCall): boolean {
  return ['create', 'patch', 'update', 'delete'].includes(verb) && query['dryRun'] === undefined
}
