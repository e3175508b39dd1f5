import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { createLeases } from '../../common/kubernetes/leases.ts'
import { silentLogger } from '../../common/logger.ts'
import { createFakeKubeApiserver } from '../../e2e/faults/simulator/fake-kube-apiserver/server.ts'
import { createVirtualClock } from '../../e2e/faults/simulator/virtual-clock.ts'
import { createLeaderMetrics } from './leader-metrics.ts'
import { createLeader, LeadershipLost } from './leader.ts'
import { leaderTiming } from './leader-timing.ts'
import type { Clock } from '../../common/effects.ts'
import type { KubeTransport } from '../../common/kubernetes/transport.ts'
import type { FakeKubeApiserver } from '../../e2e/faults/simulator/fake-kube-apiserver/server.ts'
import type { VirtualClock } from '../../e2e/faults/simulator/virtual-clock.ts'
import type { Leader } from './leader.ts'

describe('leader election', () => {
  let clock: VirtualClock
  let server: FakeKubeApiserver
  let candidates: Candidate[]

  beforeEach(() => {
    clock = createVirtualClock()
    server = createFakeKubeApiserver({ clock, random: () => 0.5 })
    candidates = []
  })

  afterEach(async () => {
    for (const candidate of candidates) {
      candidate.setFrozen(false)
      candidate.stop.abort()
    }
    await clock.advance(60_000)
    expect(clock.pendingTimers()).to.equal(0)
  })

  it('lets the only candidate lead at once, with one request a second', async () => {
    const a = join('a')
    await clock.advance(100)
    expect(a.leader.isLeader()).to.equal(true)
    expect(() => a.leader.mustHold()).not.to.throw()
    const before = server.calls.length
    await clock.advance(60_000)
    expect(server.calls.length - before).to.be.within(55, 61)
    expect(holder()).to.equal('a')
  })

  it('lets exactly one of several lead', async () => {
    const all = ['a', 'b', 'c'].map((identity) => join(identity))
    for (let second = 0; second < 60; second += 1) {
      await clock.advance(1_000)
      expect(all.filter(({ leader }) => leader.isLeader())).to.have.length(1)
    }
    expect(all.flatMap(({ log }) => log)).to.deep.equal(['acquired'])
  })

  it('has a successor within 0.5 s of a release', async () => {
    const a = join('a')
    await clock.advance(1_000)
    const b = join('b')
    await clock.advance(1_000)
    a.stop.abort()
    expect(await clock.until(a.ended)).to.equal('released')
    expect(a.leader.isLeader()).to.equal(false)
    await clock.advance(510)
    expect(b.leader.isLeader()).to.equal(true)
    expect(a.log).to.deep.equal(['acquired'])
  })

  it('has a successor within 5 s of a kill, and never two leaders meanwhile', async () => {
    const a = join('a')
    await clock.advance(1_000)
    const b = join('b')
    await clock.advance(1_000)
    a.setFrozen(true)
    for (let ms = 0; ms < 5_000; ms += 10) {
      await clock.advance(10)
      expect(a.leader.isLeader() && b.leader.isLeader()).to.equal(false)
    }
    expect(b.leader.isLeader()).to.equal(true)
  })

  it('stops 3 s after its last renewal when the API server is away, before another may lead', async () => {
    const a = join('a')
    await clock.advance(1_500)
    a.setCut(true)
    await clock.advance(2_000)
    expect(a.leader.isLeader()).to.equal(true)
    await clock.advance(1_000)
    expect(a.leader.isLeader()).to.equal(false)
    expect(() => a.leader.mustHold()).to.throw(LeadershipLost)
    expect(await clock.until(a.ended)).to.equal('lost')
    expect(a.log).to.deep.equal(['acquired', 'lost'])
  })

  it('ends with its time also where the timer comes a moment early', async () => {
    const a = join('a', { earlyMs: 0.4 })
    await clock.advance(1_500)
    a.setCut(true)
    expect(await clock.until(a.ended)).to.equal('lost')
  })

  it('survives a renewal that fails once, hangs or loses its reply', async () => {
    const a = join('a')
    await clock.advance(500)
    for (const fault of ['lose-request', 'lose-reply', 'hang'] as const) {
      server.faults.next({ verb: 'patch', kind: 'Lease' }, fault)
      await clock.advance(5_000)
      expect(a.leader.isLeader(), fault).to.equal(true)
    }
    expect(a.log).to.deep.equal(['acquired'])
  })

  it('leads after an acquisition whose reply was lost', async () => {
    server.faults.next({ verb: 'create', kind: 'Lease' }, 'lose-reply')
    const a = join('a')
    await clock.advance(1_000)
    expect(a.leader.isLeader()).to.equal(true)
  })

  it('steps down by its own clock when its event loop stood still', async () => {
    const a = join('a')
    const b = join('b')
    await clock.advance(1_000)
    const [old, next] = a.leader.isLeader() ? [a, b] : [b, a]
    old.setFrozen(true)
    await clock.advance(20_000)
    expect(() => old.leader.mustHold()).to.throw(LeadershipLost)
    old.setFrozen(false)
    expect(await clock.until(old.ended)).to.equal('lost')
    expect(next.leader.isLeader()).to.equal(true)
    expect(holder()).to.equal(next.identity)
  })

  it('yields when somebody else has taken the Lease', async () => {
    const a = join('a')
    await clock.advance(1_000)
    server.cluster.update('Lease', 'n', 'operator', (lease) => ({
      ...lease,
      spec: { ...lease.spec, holderIdentity: 'intruder' },
    }))
    expect(await clock.until(a.ended)).to.equal('lost')
    expect(holder()).to.equal('intruder')
  })

  it('waits for a Lease that moves, whatever its times say, and takes one that stands still', async () => {
    const spec = {
      holderIdentity: 'x',
      leaseDurationSeconds: 10,
      renewTime: '1999-01-01T00:00:00Z',
    }
    server.cluster.create('Lease', 'n', { metadata: { name: 'operator' }, spec })
    const a = join('a')
    for (let i = 0; i < 20; i += 1) {
      await clock.advance(1_000)
      server.cluster.update('Lease', 'n', 'operator', (lease) => ({
        ...lease,
        spec: { ...lease.spec, beat: i },
      }))
    }
    expect(a.leader.isLeader()).to.equal(false)
    await clock.advance(9_900)
    expect(a.leader.isLeader()).to.equal(false)
    await clock.advance(700)
    expect(a.leader.isLeader()).to.equal(true)
  })

  it('counts how often the Lease changed hands', async () => {
    const a = join('a')
    await clock.advance(1_000)
    a.stop.abort()
    await clock.until(a.ended)
    join('b')
    await clock.advance(1_000)
    expect(server.cluster.get('Lease', 'n', 'operator')?.spec).to.include({
      holderIdentity: 'b',
      leaseTransitions: 1,
      leaseDurationSeconds: 4,
    })
  })

  it('never has two leaders, whatever is lost on the way', async () => {
    const all = ['a', 'b', 'c'].map((identity) => join(identity))
    let seed = 1
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    server.faults.onRequest = () => {
      const draw = random()
      if (draw < 0.1) return 'lose-request'
      if (draw < 0.2) return 'lose-reply'
      if (draw < 0.25) return 'hang'
      if (draw < 0.3) return { delayMs: random() * 3_000 }
      return draw < 0.35 ? { answer: { status: 500, reason: 'InternalError' } } : null
    }
    let led = 0
    for (let ms = 0; ms < 600_000; ms += 50) {
      await clock.advance(50)
      const leaders = all.filter(({ leader }) => leader.isLeader())
      expect(leaders.length).to.be.at.most(1)
      led += leaders.length
      for (const { identity } of all.filter(({ log }) => log.includes('lost'))) {
        all.splice(
          all.findIndex((entry) => entry.identity === identity),
          1,
          join(`${identity}'`),
        )
      }
    }
    expect(led * 50).to.be.above(300_000)
    server.faults.onRequest = null
  })

  interface Candidate {
    readonly identity: string
    readonly leader: Leader
    readonly log: string[]
    readonly stop: AbortController
    readonly ended: Promise<'released' | 'lost'>
    setFrozen(isFrozen: boolean): void
    setCut(isCut: boolean): void
  }

  /** A process of its own: its timers stand still while it is frozen, its network while it is cut. */
  function join(identity: string, { earlyMs = 0 } = {}): Candidate {
    const log: string[] = []
    const stop = new AbortController()
    let isFrozen = false
    let isCut = false
    let waiting: (() => void)[] = []
    const ownClock: Clock = {
      monotonicMs: () => clock.monotonicMs(),
      wall: () => clock.wall(),
      schedule: (delayMs, callback) =>
        clock.schedule(delayMs - earlyMs, () =>
          isFrozen ? void waiting.push(callback) : callback(),
        ),
    }
    const transport: KubeTransport = async (request) => {
      const response = await server.transport(request)
      if (isCut) throw new Error('connection reset')
      return response
    }
    const registry = new Registry()
    const client = createKubeClient({
      ...{ transport, clock: ownClock, random: () => 0.5 },
      metrics: createKubeMetrics(registry),
    })
    const leader = createLeader({
      timing: leaderTiming(4),
      leases: createLeases(client),
      ...{ namespace: 'n', name: 'operator', identity, clock: ownClock },
      onAcquired: () => log.push('acquired'),
      onLost: () => log.push('lost'),
      metrics: createLeaderMetrics(registry),
      logger: silentLogger,
    })
    const candidate = {
      ...{ identity, leader, log, stop, ended: leader.run(stop.signal) },
      setFrozen(frozen: boolean) {
        isFrozen = frozen
        if (frozen) return
        const due = waiting
        waiting = []
        for (const callback of due) callback()
      },
      setCut(cut: boolean) {
        isCut = cut
      },
    }
    candidates.push(candidate)
    return candidate
  }

  function holder(): unknown {
    return server.cluster.get('Lease', 'n', 'operator')?.spec?.['holderIdentity']
  }
})
