import { expect } from 'chai'
import { useElection } from './leader.fixture.ts'
import { LeadershipLost } from './leader.ts'

describe('leader election', () => {
  const election = useElection()

  it('lets the only candidate lead at once, with one request a second', async () => {
    const a = election.join('a')
    await election.clock.advance(100)
    expect(a.leader.isLeader()).to.equal(true)
    expect(() => a.term().mustHold()).not.to.throw()
    const before = election.server.calls.length
    await election.clock.advance(60_000)
    expect(election.server.calls.length - before).to.be.within(55, 61)
    expect(election.holder()).to.equal('a')
  })

  it('lets exactly one of three candidates lead', async () => {
    const all = ['a', 'b', 'c'].map((identity) => election.join(identity))
    for (let second = 0; second < 60; second += 1) {
      await election.clock.advance(1_000)
      expect(all.filter(({ leader }) => leader.isLeader())).to.have.length(1)
    }
    expect(all.flatMap(({ log }) => log)).to.deep.equal(['acquired'])
  })

  it('shows the others where the gateway of the leader listens, until it gives the Lease back', async () => {
    const a = election.join('a')
    await election.clock.advance(1_000)
    const b = election.join('b')
    await election.clock.advance(1_000)
    expect(a.leader.leaderAddress()).to.equal(null)
    expect(b.leader.leaderAddress()).to.equal('10.0.0.1:a')
    a.stop.abort()
    await election.clock.until(a.ended)
    await election.clock.advance(1_500)
    expect(b.leader.isLeader()).to.equal(true)
    expect(a.leader.leaderAddress()).to.equal(null)
  })

  it('a candidate does not trust the address that an earlier holder has left in the Lease', async () => {
    const a = election.join('a')
    await election.clock.advance(1_000)
    const b = election.join('b')
    a.setCut(true)
    await election.clock.advance(1_000)
    election.server.cluster.update('Lease', 'n', 'operator', ({ spec, ...lease }) => ({
      ...lease,
      spec: { ...spec, holderIdentity: 'of an earlier release' },
    }))
    await election.clock.advance(1_000)
    expect(b.leader.isLeader()).to.equal(false)
    expect(b.leader.leaderAddress()).to.equal(null)
  })

  it('lets another candidate lead within 0.5 s when the leader releases the Lease', async () => {
    const a = election.join('a')
    await election.clock.advance(1_000)
    const b = election.join('b')
    await election.clock.advance(1_000)
    a.stop.abort()
    await election.clock.until(a.ended)
    expect(a.leader.isLeader()).to.equal(false)
    await election.clock.advance(510)
    expect(b.leader.isLeader()).to.equal(true)
    expect(a.log).to.deep.equal(['acquired', 'ended'])
  })

  it('lets another candidate lead within 5 s when the leader is killed, and never two at once', async () => {
    const a = election.join('a')
    await election.clock.advance(1_000)
    const b = election.join('b')
    await election.clock.advance(1_000)
    a.setFrozen(true)
    for (let ms = 0; ms < 5_000; ms += 10) {
      await election.clock.advance(10)
      expect(a.leader.isLeader() && b.leader.isLeader()).to.equal(false)
    }
    expect(b.leader.isLeader()).to.equal(true)
  })

  it('a leader stops leading 3 s after its last renewal, before another may lead, when the API server is unavailable', async () => {
    const a = election.join('a')
    await election.clock.advance(1_500)
    a.setCut(true)
    await election.clock.advance(2_000)
    expect(a.leader.isLeader()).to.equal(true)
    await election.clock.advance(1_000)
    expect(a.leader.isLeader()).to.equal(false)
    expect(() => a.term().mustHold()).to.throw(LeadershipLost)
    await election.clock.advance(10)
    expect(a.log).to.deep.equal(['acquired', 'lost', 'ended'])
  })

  it('ends a term at its deadline when the timer fires early', async () => {
    const a = election.join('a', { earlyMs: 0.4 })
    await election.clock.advance(1_500)
    a.setCut(true)
    await election.clock.runUntil(() => a.log.includes('lost'), 10_000)
    expect(a.log).to.deep.equal(['acquired', 'lost', 'ended'])
  })

  it('keeps leading when one renewal fails, hangs or loses its reply', async () => {
    const a = election.join('a')
    await election.clock.advance(500)
    for (const fault of ['lose-request', 'lose-reply', 'hang'] as const) {
      election.server.faults.next({ verb: 'patch', kind: 'Lease' }, fault)
      await election.clock.advance(5_000)
      expect(a.leader.isLeader(), fault).to.equal(true)
    }
    expect(a.log).to.deep.equal(['acquired'])
  })

  it('a candidate leads when the reply to its acquisition was lost', async () => {
    election.server.faults.next({ verb: 'create', kind: 'Lease' }, 'lose-reply')
    const a = election.join('a')
    await election.clock.advance(1_000)
    expect(a.leader.isLeader()).to.equal(true)
  })

  it('a leader stops leading by its own clock when its event loop was blocked', async () => {
    const a = election.join('a')
    const b = election.join('b')
    await election.clock.advance(1_000)
    const [old, next] = a.leader.isLeader() ? [a, b] : [b, a]
    old.setFrozen(true)
    await election.clock.advance(20_000)
    expect(() => old.term().mustHold()).to.throw(LeadershipLost)
    old.setFrozen(false)
    await election.clock.advance(1_000)
    expect(old.log).to.deep.equal(['acquired', 'lost', 'ended'])
    expect(next.leader.isLeader()).to.equal(true)
    expect(election.holder()).to.equal(next.identity)
  })

  it('a leader stops leading when another replica has taken the Lease', async () => {
    const a = election.join('a')
    await election.clock.advance(1_000)
    election.server.cluster.update('Lease', 'n', 'operator', (lease) => ({
      ...lease,
      spec: { ...lease.spec, holderIdentity: 'intruder' },
    }))
    await election.clock.advance(2_500)
    expect(a.leader.isLeader()).to.equal(false)
    expect(election.holder()).to.equal('intruder')
  })

  it('a candidate waits while a Lease with any timestamps is renewed, and takes it when it is not', async () => {
    const spec = {
      holderIdentity: 'x',
      leaseDurationSeconds: 10,
      renewTime: '1999-01-01T00:00:00Z',
    }
    election.server.cluster.create('Lease', 'n', { metadata: { name: 'operator' }, spec })
    const a = election.join('a')
    for (let i = 0; i < 20; i += 1) {
      await election.clock.advance(1_000)
      election.server.cluster.update('Lease', 'n', 'operator', (lease) => ({
        ...lease,
        spec: { ...lease.spec, beat: i },
      }))
    }
    expect(a.leader.isLeader()).to.equal(false)
    await election.clock.advance(9_900)
    expect(a.leader.isLeader()).to.equal(false)
    await election.clock.advance(700)
    expect(a.leader.isLeader()).to.equal(true)
  })

  it('counts the transitions of the Lease', async () => {
    const a = election.join('a')
    await election.clock.advance(1_000)
    a.stop.abort()
    await election.clock.until(a.ended)
    election.join('b')
    await election.clock.advance(1_000)
    expect(election.server.cluster.get('Lease', 'n', 'operator')?.spec).to.include({
      holderIdentity: 'b',
      leaseTransitions: 1,
      leaseDurationSeconds: 4,
    })
  })

  it('the election never lets two candidates lead when any requests and replies are lost', async () => {
    const all = ['a', 'b', 'c'].map((identity) => election.join(identity))
    let seed = 1
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    election.server.faults.onRequest = () => {
      const draw = random()
      if (draw < 0.1) return 'lose-request'
      if (draw < 0.2) return 'lose-reply'
      if (draw < 0.25) return 'hang'
      if (draw < 0.3) return { delayMs: random() * 3_000 }
      return draw < 0.35 ? { answer: { status: 500, reason: 'InternalError' } } : null
    }
    let led = 0
    for (let ms = 0; ms < 600_000; ms += 50) {
      await election.clock.advance(50)
      const leaders = all.filter(({ leader }) => leader.isLeader())
      expect(leaders.length).to.be.at.most(1)
      led += leaders.length
    }
    expect(led * 50).to.be.above(300_000)
    expect(all.flatMap(({ log }) => log)).to.include('lost')
    election.server.faults.onRequest = null
  })
})
