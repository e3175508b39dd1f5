import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { admittedRow } from '../../testing/support/operator/snapshot.ts'
import { createWarmRunnerWaiters } from './warm-runner-waiters.ts'

const pod = (name: string) => ({ podUid: `uid-${name}`, podName: `ffw-0a1b2c3d-1-${name}` })

describe('the requests of warm runners that a process holds', () => {
  const open = () => {
    const clock = createVirtualClock()
    const waiters = createWarmRunnerWaiters(clock)
    let changes = 0
    const unsubscribe = waiters.onChange(() => (changes += 1))
    return { clock, waiters, unsubscribe, changes: () => changes }
  }

  it('requests are offered once the pod is known to hold no command, longest waiting first', async () => {
    const { clock, waiters, changes } = open()
    const young = waiters.wait(pod('young'), 1)
    const old = waiters.wait(pod('old'), 30.5)
    expect(waiters.offers()).to.deep.equal([])
    young.offer()
    old.offer()
    old.offer()
    expect(changes()).to.equal(2)
    await clock.advance(10_000)
    expect(waiters.offers()).to.deep.equal([
      { ...pod('old'), waitedSeconds: 41 },
      { ...pod('young'), waitedSeconds: 11 },
    ])
  })

  it('requests end with the command of the pod, also before it is offered, and once', async () => {
    const { waiters, changes } = open()
    const row = admittedRow()
    const wait = waiters.wait(pod('a'), 0)
    expect(waiters.answer('uid-b', row)).to.equal(false)
    expect(waiters.answer('uid-a', row)).to.equal(true)
    expect(await wait.ended).to.deep.equal({ kind: 'bound', row })
    expect(waiters.answer('uid-a', row)).to.equal(false)
    expect(changes()).to.equal(1)
  })

  it('a request is replaced by a later one of its pod, which an end of the earlier one does not touch', async () => {
    const { waiters, unsubscribe, changes } = open()
    const first = waiters.wait(pod('a'), 0)
    first.offer()
    const second = waiters.wait(pod('a'), 5)
    expect(await first.ended).to.deep.equal({ kind: 'replaced' })
    first.leave()
    first.offer()
    expect(waiters.offers()).to.deep.equal([])
    second.offer()
    expect(waiters.offers()).to.deep.equal([{ ...pod('a'), waitedSeconds: 5 }])
    unsubscribe()
    second.leave()
    expect(waiters.offers()).to.deep.equal([])
    expect(changes()).to.equal(2)
  })

  it('requests all end when the process stops', async () => {
    const { waiters } = open()
    const ends = [waiters.wait(pod('a'), 0), waiters.wait(pod('b'), 0)].map(({ ended }) => ended)
    waiters.release()
    expect(await Promise.all(ends)).to.deep.equal([{ kind: 'replaced' }, { kind: 'replaced' }])
  })
})
