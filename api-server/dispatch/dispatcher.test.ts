import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createDispatcher } from './dispatcher.ts'
import { createDispatchMetrics } from './dispatch-metrics.ts'
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
import type { NewCommand } from '../../common/store/commands.ts'
import type { RoadStore } from '../../common/store/store.ts'

const namespace = 'media'
const kind = 'FfmpegCommand'
const accountId = '0197a0c2-0000-7000-8000-000000000001'

function start(options: { liveCommands?: number; failpoint?: Failpoint } = {}) {
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
  const dispatcher = (failpoint: Failpoint = options.failpoint ?? directly) => {
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
    async submit(count = 1, change: Partial<NewCommand> = {}): Promise<string[]> {
      await store.ensureAccount({ accountId, name: 'default', plan: 'unlimited' })
      const commands = Array.from({ length: count }, () => ({ ...command(newId()), ...change }))
      await store.insertCommands(commands)
      return commands.map(({ commandId }) => commandId)
    },
    async end(commandId: string) {
      const outcome = { status: 'FAILED', errorStatus: 'CANCELLED', errorMessage: 'x' } as const
      const report = { commandId, attempt: null, outcome, steps: null, usage: null, logs: [] }
      await store.commitOutcome(report)
    },
    async row(commandId: string) {
      return (await store.findForReconcile(commandId)) ?? expect.fail('no row')
    },
  }
}

function command(commandId: string): NewCommand {
  return {
    commandId,
    accountId,
    environmentName: null,
    commandType: 'FFMPEG_COMMAND',
    source: {
      commands: ['-i {{in_1}} {{out_1}}'],
      inputFiles: { in_1: 'https://media.example/a.avi' },
      inputCompressedFolder: null,
      outputFiles: { out_1: 'a.mp4' },
    },
    originalRequest: {},
    metadata: null,
    vcpuCount: 4,
    maxRunSeconds: 60,
    isPrivate: false,
    outputTtlSeconds: null,
    webhookUrl: null,
  }
}

describe('the dispatcher', () => {
  it('makes a StoredFile again whose object has vanished', async () => {
    const world = start()
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

  it('makes the custom resource of a row and writes its uid down', async () => {
    const world = start()
    const [id = ''] = await world.submit()
    world.run()
    await world.clock.advance(50)
    const [made] = world.server.cluster.list(kind)
    expect(made?.metadata.name).to.equal(`ffc-${id}`)
    expect(made?.metadata.finalizers).to.deep.equal(['cloudffmpeg.dev/record'])
    expect((await world.row(id)).resourceUid).to.equal(made?.metadata.uid)
    world.stop()
  })

  it('acts on a nudge at once and without one at the next poll', async () => {
    const world = start()
    world.run()
    await world.clock.advance(10)
    await world.submit()
    world.nudge()
    await world.clock.advance(1)
    expect(world.names()).to.have.length(1)
    await world.submit()
    await world.clock.advance(100)
    expect(world.names()).to.have.length(2)
    world.stop()
  })

  it('drains a backlog without waiting between batches', async () => {
    const world = start({ liveCommands: 1_000 })
    await world.submit(500)
    world.run()
    await world.clock.advance(99)
    expect(world.names()).to.have.length(500)
    world.stop()
  })

  it('keeps what exceeds the cap in the database until something goes', async () => {
    const world = start({ liveCommands: 3 })
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

  for (const [fault, answer] of [
    ['the reply is lost', 'lose-reply'],
    [
      'the API server answers 504 after applying',
      { applyThen: { status: 504, reason: 'Timeout', message: 'late' } },
    ],
    ['the request is lost', 'lose-request'],
    [
      'the API server answers 500',
      { answer: { status: 500, reason: 'InternalError', message: 'x' } },
    ],
    [
      'the API server throttles',
      { answer: { status: 429, reason: 'TooManyRequests', message: 'x' } },
    ],
    [
      'a quota is exhausted',
      { answer: { status: 403, reason: 'Forbidden', message: 'exceeded quota: x' } },
    ],
  ] as const) {
    it(`makes one resource where ${fault}`, async () => {
      const world = start()
      const [id = ''] = await world.submit()
      world.server.faults.next({ verb: 'create' }, answer, 2)
      world.run()
      await world.clock.advance(10_000)
      const [made] = world.server.cluster.list(kind)
      expect(world.names()).to.deep.equal([`ffc-${id}`])
      expect((await world.row(id)).resourceUid).to.equal(made?.metadata.uid)
      world.stop()
    })
  }

  it('waits while the cluster is away, without hammering it, and goes on within 5 s', async () => {
    const world = start()
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

  it('waits while the database is away, and goes on within 5 s', async () => {
    const world = start()
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

  it('does not let one row that fails hold up the others', async () => {
    const world = start()
    const [poisoned = '', ...others] = await world.submit(20)
    const fault = { answer: { status: 500, reason: 'InternalError', message: 'x' } }
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

  it('takes over what a dispatcher that died has claimed, within 5 s', async () => {
    for (const point of ['dispatch.rows_claimed', 'dispatch.cr_created']) {
      const world = start()
      const [id = ''] = await world.submit()
      // The dead one never comes back from its effect, which did happen.
      world.runAnother(async (name, effect) => {
        const result = await effect()
        return name === point ? new Promise(() => undefined) : result
      })
      await world.clock.settle()
      world.run()
      await world.clock.advance(5_000)
      expect(world.names(), point).to.deep.equal([`ffc-${id}`])
      expect((await world.row(id)).resourceUid, point).not.to.equal(null)
      world.stop()
    }
  })

  it('does no harm where two work on the same rows', async () => {
    const world = start()
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

  it("ends a command whose name is a stranger's, and leaves the stranger alone", async () => {
    const world = start()
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
    const world = start()
    const [id = ''] = await world.submit()
    const refusal = { status: 422, reason: 'Invalid', message: 'spec.vcpuCount: too large' }
    world.server.faults.next({ verb: 'create' }, { answer: refusal })
    world.run()
    await world.clock.advance(5_000)
    expect(await world.row(id)).to.include({
      status: 'FAILED',
      errorStatus: 'INTERNAL_ERROR',
      errorMessage: 'The cluster refused the command',
    })
    expect(world.creates()).to.equal(1)
    world.stop()
  })

  it('ends with its signal, when what was under way is done', async () => {
    const world = start()
    await world.submit(5)
    const stop = new AbortController()
    const running = world.runUntil(stop.signal)
    stop.abort()
    await world.clock.until(running)
    expect(world.names()).to.have.length(5)
    expect(world.clock.pendingTimers()).to.equal(0)
  })
})
