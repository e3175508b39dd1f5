import { expect } from 'chai'
import { Registry } from 'prom-client'
import type { Failpoint } from '../../../common/runtime/effects.ts'
import { directly } from '../../../common/runtime/failpoint.ts'
import { createKubeClient } from '../../../common/kubernetes/client.ts'
import { createEvents } from '../../../common/kubernetes/resources/events.ts'
import { createKubeMetrics } from '../../../common/kubernetes/kube-metrics.ts'
import { createWorkMetadata } from '../../../common/kubernetes/resources/work-metadata.ts'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { recordFinalizer } from '../../../common/domain/resource-names.ts'
import { createFakeKubeApiserver } from '../../../testing/simulator/kube-apiserver/server.ts'
import type { FakeKubeApiserver } from '../../../testing/simulator/kube-apiserver/server.ts'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import type { VirtualClock } from '../../../testing/support/virtual-clock.ts'
import { createNoticeForeign } from './notice-foreign.ts'

describe('the notice to objects that no release watches', () => {
  let clock: VirtualClock
  let server: FakeKubeApiserver

  beforeEach(() => {
    clock = createVirtualClock()
    server = createFakeKubeApiserver({ clock, random: () => 0.5 })
  })

  function release(
    name = 'media/cloud-ffmpeg-operator',
    failpoint: Failpoint = directly,
    watched = ['media'],
  ) {
    const kube = createKubeClient({
      transport: server.transport,
      clock,
      random: () => 0.5,
      metrics: createKubeMetrics(new Registry()),
    })
    const notice = createNoticeForeign({
      kinds: createWorkMetadata(kube),
      events: createEvents(kube),
      namespaces: watched,
      release: name,
      reportingController: 'cloudffmpeg.dev/operator',
      reportingInstance: 'operator-0',
      term: { mustHold: () => undefined },
      effects: { clock, random: () => 0.5, newId: () => 'unused', failpoint },
      logger: silentLogger,
    })
    return () => clock.until(notice(new AbortController().signal))
  }

  function apply(namespace: string, name: string, more: object = {}, kind = 'FfmpegCommand') {
    server.cluster.create(kind, namespace, { metadata: { name, ...more }, spec: {} })
  }

  function notified(): string[] {
    return server.cluster
      .list('Event')
      .map((event) => event['regarding'] as { namespace: string; name: string })
      .map(({ namespace, name }) => `${namespace}/${name}`)
      .toSorted()
  }

  it('writes an Event with the watched namespace to commands and stored files in other namespaces', async () => {
    apply('default', 'thumbnail')
    apply('default', 'clip', {}, 'StoredFile')
    await release()()
    expect(notified()).to.deep.equal(['default/clip', 'default/thumbnail'])
    const [event] = server.cluster.list('Event')
    expect(event).to.deep.include({ type: 'Warning', reason: 'NotWatched' })
    expect(event?.metadata.namespace).to.equal('default')
    expect(event?.['note']).to.match(/^This release watches namespace 'media' alone.*-n media$/)
  })

  it('names all watched namespaces, and writes no Event in any of them', async () => {
    apply('default', 'thumbnail')
    apply('team', 'own')
    await release(undefined, directly, ['media', 'team'])()
    expect(notified()).to.deep.equal(['default/thumbnail'])
    const [event] = server.cluster.list('Event')
    expect(event?.['note']).to.match(/^This release watches namespaces 'media', 'team' alone/)
  })

  it('writes no Event when this release or another one reconciles the object', async () => {
    apply('media', 'own')
    apply('second', 'taken', { finalizers: [recordFinalizer] })
    apply('second', 'rejected')
    server.cluster.updateStatus('FfmpegCommand', 'second', 'rejected', () => ({ state: 'FAILED' }))
    await release()()
    expect(notified()).to.deep.equal([])
  })

  it('writes no Event when another release takes a new object within ten seconds', async () => {
    apply('second', 'new')
    clock.schedule(9_000, () => {
      server.cluster.update('FfmpegCommand', 'second', 'new', (object) => ({
        ...object,
        metadata: { ...object.metadata, finalizers: [recordFinalizer] },
      }))
    })
    await release()()
    expect(notified()).to.deep.equal([])
  })

  it('writes one Event for an object when several replicas lead in turn', async () => {
    apply('default', 'thumbnail')
    const pass = release()
    await pass()
    await pass()
    await release()()
    expect(notified()).to.have.length(1)
    const creates = server.calls.filter(({ verb }) => verb === 'create')
    expect(creates, 'one by each leader').to.have.length(2)
  })

  it('writes an Event for an object that was made again under the name of an earlier one', async () => {
    const pass = release()
    apply('default', 'thumbnail')
    await pass()
    server.cluster.delete('FfmpegCommand', 'default', 'thumbnail')
    apply('default', 'thumbnail')
    await pass()
    expect(notified()).to.have.length(2)
  })

  it('writes one Event for each of two releases', async () => {
    apply('default', 'thumbnail')
    await release('media/cloud-ffmpeg-operator')()
    await release('second/cloud-ffmpeg-operator')()
    expect(notified()).to.have.length(2)
  })

  it('sends at most 50 requests in each pass, and checks every namespace in the end', async () => {
    for (let i = 0; i < 5_000; i += 1) apply('crowded', `c-${String(i).padStart(4, '0')}`)
    apply('quiet', 'one')
    const pass = release()
    const requests: number[] = []
    for (let i = 0; i < 3; i += 1) {
      const before = server.calls.length
      await pass()
      requests.push(server.calls.length - before)
    }
    expect(Math.max(...requests)).to.be.at.most(50)
    expect(notified()).to.include('quiet/one')
    expect(notified().length).to.be.at.most(60)
  })

  it('the list starts from the first page when its continue token has expired', async () => {
    for (let i = 0; i < 2_500; i += 1) apply('crowded', `c-${String(i).padStart(4, '0')}`)
    const pass = release()
    await pass()
    server.compact()
    await pass()
    expect(notified()).to.have.length(10)
  })

  it('retries in the next pass the Events that the API server did not accept', async () => {
    apply('default', 'thumbnail')
    let isBroken = true
    const failpoint: Failpoint = (_name, effect) => {
      if (isBroken) throw new Error('no answer')
      return effect()
    }
    const pass = release('media/x', failpoint)
    const error: unknown = await pass().catch((thrown: unknown) => thrown)
    expect(String(error)).to.match(/no answer/)
    isBroken = false
    await pass()
    expect(notified()).to.deep.equal(['default/thumbnail'])
  })
})
