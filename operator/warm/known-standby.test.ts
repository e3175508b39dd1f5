import { expect } from 'chai'
import { failureOf, lookedUp, needsLookUp, newStandby, observe, viewOf } from './known-standby.ts'
import { standbyJob, standbyPod } from './standby.fixture.ts'

describe('a warm runner that a leader knows', () => {
  const job = standbyJob('a')
  const bound = { standbyJob: 'a', podUid: 'pod of a', commandId: 'c', isLive: true }
  const offer = { podUid: 'pod of a', podName: 'a-abcde', waitedSeconds: 5 }
  const own = () => newStandby(job, { isOwn: true, now: 0 })

  it('needs a look-up when another leader created its Job', () => {
    expect(needsLookUp(own())).to.equal(false)
    expect(needsLookUp(newStandby(job, { isOwn: false, now: 0 }))).to.equal(true)
  })

  it('is bound while its command is live, and over afterwards', () => {
    const standby = own()
    lookedUp(standby, bound, 1_000)
    expect(viewOf(standby, 'hash', 60, 1_000).use).to.equal('bound')
    lookedUp(standby, { ...bound, isLive: false }, 2_000)
    expect(viewOf(standby, 'hash', 60, 2_000).use).to.equal('bound')
    expect(viewOf(standby, 'hash', 60, 40_000).use).to.equal('over')
  })

  it('is over when its pod has the labels of a command that the database does not know', () => {
    const standby = own()
    observe(standby, [standbyPod('a', { commandId: 'c' })], [], 0)
    lookedUp(standby, undefined, 0)
    expect(standby.use).to.equal('over')
  })

  it('waits when its request is open and its node says that it runs', () => {
    const standby = own()
    observe(standby, [standbyPod('a', { phase: 'Pending' })], [offer], 1_000)
    expect(standby.isWaiting).to.equal(false)
    observe(standby, [standbyPod('a')], [offer], 2_000)
    expect(standby).to.include({ isWaiting: true, waitedMs: 2_000, ageSeconds: 5 })
  })

  it('has failed when its pod does not run within the allowance', () => {
    const standby = own()
    observe(standby, [], [], 59_000)
    expect(failureOf(standby, 60, 59_000)).to.equal(null)
    expect(failureOf(standby, 60, 60_000)).to.be.a('string')
    lookedUp(standby, bound, 60_000)
    expect(failureOf(standby, 60, 60_000)).to.equal(null)
  })
})
