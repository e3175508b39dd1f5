import { expect } from 'chai'
import { useElection } from './leader.fixture.ts'
import { LeadershipLost } from './leader.ts'

describe('terms of a leader', () => {
  const election = useElection()

  it('a leader leads again in a new term after an outage, and still refuses the effects of the lost one', async () => {
    const a = election.join('a')
    await election.clock.advance(1_500)
    const first = a.term()
    a.setCut(true)
    await election.clock.advance(20_000)
    expect(a.log).to.deep.equal(['acquired', 'lost', 'ended'])
    a.setCut(false)
    await election.clock.advance(2_000)
    expect(a.leader.isLeader()).to.equal(true)
    expect(() => first.mustHold()).to.throw(LeadershipLost)
    expect(() => a.term().mustHold()).not.to.throw()
  })

  it('a leader has at most one term for each of five stalls of 20 s, and leads 2 s after each', async () => {
    const a = election.join('a')
    await election.clock.advance(1_500)
    for (let stall = 1; stall <= 5; stall += 1) {
      election.server.faults.onRequest = () => 'hang'
      await election.clock.advance(20_000)
      election.server.faults.onRequest = null
      await election.clock.advance(2_000)
      expect(a.leader.isLeader(), `after stall ${stall}`).to.equal(true)
      expect(a.log.filter((entry) => entry === 'acquired')).to.have.length(stall + 1)
      await election.clock.advance(30_000)
    }
    expect(a.log).not.to.include('stuck')
  })

  it('a leader does not compete for the Lease for up to 20 s, until the work of a lost term has ended', async () => {
    const a = election.join('a', { workEndsAfterMs: 19_000 })
    await election.clock.advance(1_500)
    a.setCut(true)
    await election.clock.advance(3_500)
    a.setCut(false)
    await election.clock.advance(18_000)
    expect(a.log).to.deep.equal(['acquired', 'lost'])
    await election.clock.advance(2_000)
    expect(a.log).to.deep.equal(['acquired', 'lost', 'ended', 'acquired'])
  })

  it('reports that it is stuck, and does not lead again, when the work of a lost term does not end', async () => {
    const a = election.join('a', { workEndsAfterMs: 25_000 })
    await election.clock.advance(1_500)
    a.setCut(true)
    await election.clock.advance(3_500)
    a.setCut(false)
    await election.clock.advance(60_000)
    expect(a.log).to.deep.equal(['acquired', 'lost', 'stuck', 'ended'])
    expect(a.leader.isLeader()).to.equal(false)
  })

  it('takes the Lease over as soon as its holder is known to have ended', async () => {
    const a = election.join('a')
    await election.clock.advance(1_000)
    const b = election.join('b', { knownEnds: ['a'], waitsUntilMs: 3_000 })
    a.setFrozen(true)
    await election.clock.advance(1_900)
    expect(b.leader.isLeader()).to.equal(false)
    await election.clock.advance(700)
    expect(b.leader.isLeader()).to.equal(true)
  })
})
