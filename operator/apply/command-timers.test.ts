import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createCommandMemory } from './command-timers.ts'
import {
  admittedRow,
  commandId,
  job,
  pod,
  podUid,
  runningRow,
  succeededRow,
} from '../../testing/support/operator/snapshot.ts'
import { standbyPod } from '../warm/standby.fixture.ts'

describe('createCommandMemory', () => {
  it('returns the seconds since a condition began, and counts anew after it was interrupted', async () => {
    const clock = createVirtualClock()
    const memory = createCommandMemory(clock)
    const waiting = { row: admittedRow(), jobs: [job()], pods: [] }
    expect(memory.elapsed(commandId, waiting).withoutPod).to.equal(0)
    await clock.advance(12_000)
    expect(memory.elapsed(commandId, waiting).withoutPod).to.equal(12)
    memory.elapsed(commandId, { ...waiting, pods: [pod()] })
    await clock.advance(1_000)
    expect(memory.elapsed(commandId, waiting).withoutPod).to.equal(0)
  })

  it('counts the deletion of each pod and the end of the command', async () => {
    const clock = createVirtualClock()
    const memory = createCommandMemory(clock)
    const seen = { row: succeededRow(), jobs: [], pods: [pod({ deletion: { graceSeconds: 15 } })] }
    memory.elapsed(commandId, seen)
    await clock.advance(5_000)
    const elapsed = memory.elapsed(commandId, seen)
    expect(elapsed.podDeletion.get(podUid)).to.equal(5)
    expect(elapsed.sinceFinal).to.equal(5)
  })

  it('counts how long a Job may start pods, from zero again each time it is resumed', async () => {
    const clock = createVirtualClock()
    const memory = createCommandMemory(clock)
    const at = (suspended: boolean) =>
      memory.elapsed(commandId, {
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

  it('reports once for each reason why a node has not given a standby the size of its command', () => {
    const reported: string[] = []
    const clock = createVirtualClock()
    const memory = createCommandMemory(clock, (reason) => reported.push(reason))
    const see = (reason: string | null, uid = podUid) => {
      const resizePending = reason === null ? null : { reason, message: 'no room' }
      const metadata = { ...pod().metadata, uid }
      const pods = [standbyPod('ffw-0a1b2c3d-1', { metadata }, { resizePending })]
      memory.elapsed(commandId, { row: runningRow({ attempt: podUid }), jobs: [], pods })
    }
    for (const reason of [null, 'Deferred', 'Deferred', null, 'Deferred', 'Infeasible']) see(reason)
    see('Infeasible', 'pod of another attempt')
    expect(reported).to.deep.equal(['Deferred', 'Infeasible'])
  })

  it('allows three Events about the waits of a command', () => {
    const memory = createCommandMemory(createVirtualClock())
    const published = [1, 2, 3, 4, 5].map(() => memory.mayPublishWait(commandId))
    expect(published).to.deep.equal([true, true, true, false, false])
    expect(memory.mayPublishWait('another')).to.equal(true)
  })

  it('returns a refusal for its own round only', () => {
    const memory = createCommandMemory(createVirtualClock())
    const refusal = { reason: 'QuotaForbidden', message: '', permanent: false }
    memory.refused(commandId, 1, refusal)
    expect(memory.refusal(commandId, 1)).to.deep.equal(refusal)
    expect(memory.refusal(commandId, 2)).to.equal(null)
    memory.forget(commandId)
    expect(memory.refusal(commandId, 1)).to.equal(null)
  })
})
