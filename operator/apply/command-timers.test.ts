import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createCommandTimers } from './command-timers.ts'
import {
  admittedRow,
  commandId,
  job,
  pod,
  podUid,
  runningRow,
  succeededRow,
} from '../../testing/support/operator/snapshot.ts'
import { warmRunnerPod } from '../warm/warm-runner.fixture.ts'

describe('createCommandTimers', () => {
  it('returns the seconds since a condition began, and counts anew after it was interrupted', async () => {
    const clock = createVirtualClock()
    const timers = createCommandTimers(clock)
    const waiting = { row: admittedRow(), jobs: [job()], pods: [] }
    expect(timers.elapsed(commandId, waiting).withoutPod).to.equal(0)
    await clock.advance(12_000)
    expect(timers.elapsed(commandId, waiting).withoutPod).to.equal(12)
    timers.elapsed(commandId, { ...waiting, pods: [pod()] })
    await clock.advance(1_000)
    expect(timers.elapsed(commandId, waiting).withoutPod).to.equal(0)
  })

  it('counts the deletion of each pod and the end of the command', async () => {
    const clock = createVirtualClock()
    const timers = createCommandTimers(clock)
    const seen = { row: succeededRow(), jobs: [], pods: [pod({ deletion: { graceSeconds: 15 } })] }
    timers.elapsed(commandId, seen)
    await clock.advance(5_000)
    const elapsed = timers.elapsed(commandId, seen)
    expect(elapsed.podDeletion.get(podUid)).to.equal(5)
    expect(elapsed.sinceFinal).to.equal(5)
  })

  it('counts how long a Job may start pods, from zero again each time it is resumed', async () => {
    const clock = createVirtualClock()
    const timers = createCommandTimers(clock)
    const at = (suspended: boolean) =>
      timers.elapsed(commandId, {
        row: admittedRow(),
        jobs: [job({ queued: true, suspended })],
        pods: [],
      })
    at(true)
    await clock.advance(20_000)
    expect(at(true)).to.include({ startable: 0, withoutPod: 0 })
    at(false)
    await clock.advance(7_000)
    expect(at(false)).to.include({ startable: 7, withoutPod: 7 })
    at(true)
    await clock.advance(1_000)
    expect(at(false)).to.include({ startable: 0 })
  })

  it('reports once for each reason why a node has not given a warm runner the size of its command', () => {
    const reported: string[] = []
    const clock = createVirtualClock()
    const timers = createCommandTimers(clock, (reason) => reported.push(reason))
    const see = (reason: string | null, uid = podUid) => {
      const resizePending = reason === null ? null : { reason, message: 'no room' }
      const metadata = { ...pod().metadata, uid }
      const pods = [warmRunnerPod('ffw-0a1b2c3d-1', { metadata }, { resizePending })]
      timers.elapsed(commandId, { row: runningRow({ attempt: podUid }), jobs: [], pods })
    }
    for (const reason of [null, 'Deferred', 'Deferred', null, 'Deferred', 'Infeasible']) see(reason)
    see('Infeasible', 'pod of another attempt')
    expect(reported).to.deep.equal(['Deferred', 'Infeasible'])
  })

  it('allows three Events about the waits of a command', () => {
    const timers = createCommandTimers(createVirtualClock())
    const published = [1, 2, 3, 4, 5].map(() => timers.mayPublishWait(commandId))
    expect(published).to.deep.equal([true, true, true, false, false])
    expect(timers.mayPublishWait('another')).to.equal(true)
  })

  it('returns a refusal for its own generation only', () => {
    const timers = createCommandTimers(createVirtualClock())
    const refusal = { reason: 'QuotaForbidden', message: '', permanent: false }
    timers.refused(commandId, 1, refusal)
    expect(timers.refusal(commandId, 1)).to.deep.equal(refusal)
    expect(timers.refusal(commandId, 2)).to.equal(null)
    timers.forget(commandId)
    expect(timers.refusal(commandId, 1)).to.equal(null)
  })
})
