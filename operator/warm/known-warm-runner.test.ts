import { expect } from 'chai'
import {
  failureOf,
  lookedUp,
  needsLookUp,
  newWarmRunner,
  observe,
  viewOf,
} from './known-warm-runner.ts'
import { warmRunnerJob, warmRunnerPod } from './warm-runner.fixture.ts'

describe('a warm runner that a leader knows', () => {
  const job = warmRunnerJob('a')
  const bound = { warmRunnerJob: 'a', podUid: 'pod of a', commandId: 'c', isLive: true }
  const offer = { podUid: 'pod of a', podName: 'a-abcde', waitedSeconds: 5 }
  const own = () => newWarmRunner(job, { isOwn: true, now: 0 })

  it('a warm runner needs a look-up when another leader created its Job', () => {
    expect(needsLookUp(own())).to.equal(false)
    expect(needsLookUp(newWarmRunner(job, { isOwn: false, now: 0 }))).to.equal(true)
  })

  it('a warm runner is bound while its command is live, and over afterwards', () => {
    const warmRunner = own()
    lookedUp(warmRunner, bound, 1_000)
    expect(viewOf(warmRunner, 'hash', 60, 1_000).use).to.equal('bound')
    lookedUp(warmRunner, { ...bound, isLive: false }, 2_000)
    expect(viewOf(warmRunner, 'hash', 60, 2_000).use).to.equal('bound')
    expect(viewOf(warmRunner, 'hash', 60, 40_000).use).to.equal('over')
  })

  it('a warm runner is over when its pod has the labels of a command that the database does not know', () => {
    const warmRunner = own()
    observe(warmRunner, [warmRunnerPod('a', { commandId: 'c' })], [], 0)
    lookedUp(warmRunner, undefined, 0)
    expect(warmRunner.use).to.equal('over')
  })

  it('a warm runner waits when its request is open and its node says that it runs', () => {
    const warmRunner = own()
    observe(warmRunner, [warmRunnerPod('a', { phase: 'Pending' })], [offer], 1_000)
    expect(warmRunner.isWaiting).to.equal(false)
    observe(warmRunner, [warmRunnerPod('a')], [offer], 2_000)
    expect(warmRunner).to.include({ isWaiting: true, waitedMs: 2_000, ageSeconds: 5 })
  })

  it('a warm runner has failed when its pod does not run within the allowance', () => {
    const warmRunner = own()
    observe(warmRunner, [], [], 59_000)
    expect(failureOf(warmRunner, 60, 59_000)).to.equal(null)
    expect(failureOf(warmRunner, 60, 60_000)).to.be.a('string')
    lookedUp(warmRunner, bound, 60_000)
    expect(failureOf(warmRunner, 60, 60_000)).to.equal(null)
  })
})
