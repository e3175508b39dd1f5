import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createEvents } from '../../common/kubernetes/resources/events.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import { createFakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createEventRecorder } from './event-recorder.ts'
import type { FakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import type { VirtualClock } from '../../testing/support/virtual-clock.ts'
import type { EventFacts } from './event-body.ts'
import type { EventRecorder } from './event-recorder.ts'

describe('event recorder', () => {
  let clock: VirtualClock
  let server: FakeKubeApiserver

  beforeEach(() => {
    clock = createVirtualClock()
    server = createFakeKubeApiserver({ clock, random: () => 0.5 })
  })

  it('writes an Event that kubectl describe shows with the object', async () => {
    const recorder = create()
    recorder.record(facts({ note: 'x'.repeat(2_000) }))
    await clock.until(recorder.flush())
    const [event] = server.cluster.list('Event')
    expect(event).to.deep.include({
      apiVersion: 'events.k8s.io/v1',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'cloudffmpeg.dev/operator',
      reportingInstance: 'operator-0',
      type: 'Normal',
      reason: 'JobCreated',
      action: 'CreateJob',
    })
    expect(event?.metadata.namespace).to.equal('n')
    expect(event?.['regarding']).to.include({ uid: 'uid-a' })
    expect(event?.['note']).to.have.length(1_024)
  })

  it('counts up one Event when the same happens again within 10 minutes', async () => {
    const recorder = create()
    for (let i = 0; i < 3; i += 1) {
      recorder.record(facts())
      await clock.advance(9 * 60_000)
    }
    const [event] = server.cluster.list('Event')
    expect(server.cluster.list('Event')).to.have.length(1)
    expect(event?.['series']).to.deep.equal({
      count: 3,
      lastObservedTime: '2026-01-01T00:18:00.000000Z',
    })
    await clock.advance(2 * 60_000)
    recorder.record(facts())
    recorder.record(facts({ reason: 'Other' }))
    await clock.until(recorder.flush())
    expect(server.cluster.list('Event')).to.have.length(3)
  })

  it('patches the series of an Event only after it created the Event', async () => {
    const recorder = create()
    recorder.record(facts())
    recorder.record(facts())
    await clock.until(recorder.flush())
    expect(server.calls.map(({ verb }) => verb)).to.deep.equal(['create', 'patch'])
  })

  it('writes another Event about the same reason when the action is another', async () => {
    const recorder = create()
    recorder.record(facts({ note: 'waits' }))
    recorder.record({ ...facts({ note: 'waits for 4 vCPUs' }), action: 'Retry' })
    await clock.until(recorder.flush())
    expect(server.cluster.list('Event').map(({ note }) => note)).to.deep.equal([
      'waits',
      'waits for 4 vCPUs',
    ])
  })

  it('limits Events to a burst of 10 and one a minute per object, and to a burst of 50 in total', async () => {
    const recorder = create()
    for (let i = 0; i < 30; i += 1) recorder.record(facts({ reason: `Reason${i}` }))
    await clock.until(recorder.flush())
    expect(server.cluster.list('Event')).to.have.length(10)
    for (let i = 0; i < 100; i += 1) recorder.record(facts({ uid: `other-${i}` }))
    await clock.until(recorder.flush())
    expect(server.cluster.list('Event')).to.have.length(50)
    await clock.advance(60_000)
    for (let i = 0; i < 5; i += 1) recorder.record(facts({ reason: `Late${i}` }))
    await clock.until(recorder.flush())
    expect(server.cluster.list('Event')).to.have.length(51)
  })

  it('drops an Event, without an error for the caller, when two requests fail', async () => {
    const recorder = create()
    server.faults.onRequest = () => ({ answer: { status: 500, reason: 'InternalError' } })
    recorder.record(facts())
    recorder.record(facts())
    await clock.until(recorder.flush())
    expect(server.calls.map(({ verb }) => verb)).to.deep.equal(['create', 'create'])
    server.faults.onRequest = null
    server.faults.next({ verb: 'create' }, 'lose-request')
    recorder.record(facts({ reason: 'Other' }))
    await clock.until(recorder.flush())
    expect(server.cluster.list('Event')).to.have.length(1)
  })

  function create(): EventRecorder {
    let ids = 0
    const { transport } = server
    const metrics = createKubeMetrics(new Registry())
    return createEventRecorder({
      events: createEvents(createKubeClient({ transport, clock, random: () => 0.5, metrics })),
      clock,
      newId: () => `id-${(ids += 1)}`,
      reportingController: 'cloudffmpeg.dev/operator',
      reportingInstance: 'operator-0',
      logger: silentLogger,
    })
  }

  function facts(more: { reason?: string; note?: string; uid?: string } = {}): EventFacts {
    const { reason = 'JobCreated', note = 'Created Job a', uid = 'uid-a' } = more
    const object = { apiVersion: 'cloudffmpeg.dev/v1alpha1', kind: 'FfmpegCommand' }
    const regarding = { ...object, namespace: 'n', name: 'a', uid }
    return { regarding, type: 'Normal', reason, action: 'CreateJob', note }
  }
})
