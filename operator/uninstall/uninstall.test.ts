import { expect } from 'chai'
import { Registry } from 'prom-client'
import type { Failpoint } from '../../common/runtime/effects.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createDeployments } from '../../common/kubernetes/resources/deployments.ts'
import { createJobs } from '../../common/kubernetes/resources/jobs.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { createPods } from '../../common/kubernetes/resources/pods.ts'
import { createWorkMetadata } from '../../common/kubernetes/resources/work-metadata.ts'
import { recordFinalizer } from '../../common/domain/resource-names.ts'
import { createFakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import type { FakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import type { VirtualClock } from '../../testing/support/virtual-clock.ts'
import { uninstall } from './uninstall.ts'

const namespace = 'media'
const ours = { 'app.kubernetes.io/managed-by': 'cloud-ffmpeg' }
const deployments = ['media-api-server', 'media-operator'].map((name) => ({ namespace, name }))

describe('uninstalling', () => {
  let clock: VirtualClock
  let server: FakeKubeApiserver
  let said: string[]
  /** Time in ms from the scaling to zero until the pods of a server have ended; null = never. */
  let stopMs: number | null

  beforeEach(() => {
    clock = createVirtualClock()
    server = createFakeKubeApiserver({ clock, random: () => 0.5 })
    said = []
    stopMs = 4_000
    for (const { name } of deployments) {
      const labels = { component: name }
      const selector = { matchLabels: labels }
      server.cluster.create('Deployment', namespace, {
        metadata: { name },
        spec: { replicas: 1, selector },
      })
      server.cluster.create('Pod', namespace, { metadata: { name: `${name}-1`, labels } })
    }
    server.cluster.onChange(({ kind, object }) => {
      if (kind !== 'Deployment' || object.spec?.['replicas'] !== 0 || stopMs === null) return
      clock.schedule(stopMs, () => {
        server.cluster.delete('Pod', namespace, `${object.metadata.name}-1`)
      })
    })
  })

  function run(failpoint: Failpoint = directly, namespaces = [namespace]): Promise<void> {
    const kube = createKubeClient({
      transport: server.transport,
      clock,
      random: () => 0.5,
      metrics: createKubeMetrics(new Registry()),
    })
    const bound = new AbortController()
    clock.schedule(120_000, () => bound.abort(new Error('not done within 120 s')))
    const done = uninstall(
      {
        deployments: createDeployments(kube),
        pods: createPods(kube),
        jobs: createJobs(kube),
        kinds: createWorkMetadata(kube),
        effects: { clock, random: () => 0.5, newId: () => 'unused', failpoint },
        say: (line) => said.push(line),
      },
      { namespaces, deployments },
      bound.signal,
    )
    return clock.until(done)
  }

  function objects(count: number, kind = 'FfmpegCommand', finalizers = [recordFinalizer]): void {
    for (let i = 0; i < count; i += 1) {
      server.cluster.create(kind, namespace, {
        metadata: { name: `${kind.toLowerCase()}-${i}`, finalizers },
        spec: {},
      })
    }
  }

  function finalizers(): string[] {
    return ['FfmpegCommand', 'StoredFile'].flatMap((kind) =>
      server.cluster.list(kind).flatMap(({ metadata }) => metadata.finalizers ?? []),
    )
  }

  it('releases each of several namespaces', async () => {
    for (const at of [namespace, 'team']) {
      server.cluster.create('FfmpegCommand', at, {
        metadata: { name: 'same', finalizers: [recordFinalizer] },
        spec: {},
      })
      server.cluster.create('Job', at, { metadata: { name: 'ffc-a-1', labels: ours } })
    }
    await run(directly, [namespace, 'team'])
    expect(finalizers()).to.deep.equal([])
    expect(server.cluster.list('Job')).to.deep.equal([])
    expect(said).to.include('deleted 1 Jobs in namespace team')
  })

  it('removes the finalizer of every object of both kinds, page after page', async () => {
    objects(250)
    objects(3, 'StoredFile')
    await run()
    expect(finalizers()).to.deep.equal([])
    expect(server.cluster.list('FfmpegCommand')).to.have.length(250)
    expect(said).to.include('took the finalizer cloudffmpeg.dev/record off 253 objects in media')
  })

  it('keeps the finalizers of other programs', async () => {
    objects(1, 'FfmpegCommand', ['example.com/keep', recordFinalizer])
    await run()
    expect(finalizers()).to.deep.equal(['example.com/keep'])
  })

  it('changes no object before the pods of both servers have ended', async () => {
    objects(1)
    server.cluster.create('Job', namespace, { metadata: { name: 'ffc-a-1', labels: ours } })
    const beganMs = clock.monotonicMs()
    const changedMs: number[] = []
    server.cluster.onChange(({ kind }) => {
      if (kind === 'FfmpegCommand' || kind === 'Job') changedMs.push(clock.monotonicMs() - beganMs)
    })
    await run()
    expect(changedMs).to.have.length(2)
    expect(Math.min(...changedMs)).to.be.at.least(4_000)
  })

  it('deletes the Jobs of commands alone, and waits until their pods have ended', async () => {
    server.cluster.create('Job', namespace, { metadata: { name: 'ffc-a-1', labels: ours } })
    server.cluster.create('Job', namespace, { metadata: { name: 'backup' } })
    const pod = { metadata: { name: 'ffc-a-1-x', labels: ours }, spec: { nodeName: 'node' } }
    server.cluster.create('Pod', namespace, pod)
    const beganMs = clock.monotonicMs()
    clock.schedule(12_000, () => {
      server.cluster.delete('Pod', namespace, 'ffc-a-1-x', { gracePeriodSeconds: 0 })
    })
    await run()
    expect(server.cluster.list('Job').map(({ metadata }) => metadata.name)).to.deep.equal([
      'backup',
    ])
    expect(clock.monotonicMs() - beganMs).to.be.within(12_000, 14_000)
    expect(said.at(-1)).to.equal('all runners have ended in media')
  })

  it('the uninstallation does not wait for pods that have finished', async () => {
    server.cluster.create('Pod', namespace, { metadata: { name: 'ffc-b-1-x', labels: ours } })
    server.cluster.updateStatus('Pod', namespace, 'ffc-b-1-x', () => ({ phase: 'Succeeded' }))
    const beganMs = clock.monotonicMs()
    await run()
    expect(clock.monotonicMs() - beganMs).to.be.below(6_000)
  })

  it('the uninstallation continues when the node of a server does not answer', async () => {
    stopMs = null
    objects(2)
    await run()
    expect(finalizers()).to.deep.equal([])
    expect(said[0]).to.match(/have not stopped within 45 s/)
  })

  it('removes the finalizers when the Deployments do not exist', async () => {
    for (const { name } of deployments) server.cluster.delete('Deployment', namespace, name)
    objects(2)
    await run()
    expect(finalizers()).to.deep.equal([])
  })

  it('removes the finalizers of objects that are being deleted', async () => {
    objects(5)
    for (const { metadata } of server.cluster.list('FfmpegCommand')) {
      server.cluster.delete('FfmpegCommand', namespace, metadata.name)
    }
    await run()
    expect(server.cluster.list('FfmpegCommand')).to.deep.equal([])
  })

  it('retries an object that changed in between', async () => {
    objects(3)
    server.faults.next(
      { verb: 'patch', kind: 'FfmpegCommand' },
      { answer: { status: 409, reason: 'Conflict' } },
    )
    await run()
    expect(finalizers()).to.deep.equal([])
  })

  it('retries while the API server is unavailable', async () => {
    objects(3)
    server.setDown(true)
    clock.schedule(30_000, () => server.setDown(false))
    await run()
    expect(finalizers()).to.deep.equal([])
    expect(said[0]).to.match(/^trying again/)
  })

  it('the uninstallation comes to the same end after a crash at each effect', async () => {
    for (const name of [
      'uninstall.servers_stopped',
      'uninstall.job_deleted',
      'uninstall.finalizer_removed',
    ]) {
      objects(3)
      server.cluster.create('Job', namespace, { metadata: { name: 'ffc-a-1', labels: ours } })
      let isArmed = true
      const crash: Failpoint = async (at, effect) => {
        const result = await effect()
        if (at === name && isArmed) {
          isArmed = false
          throw new Error('crash')
        }
        return result
      }
      const error: unknown = await run(crash).catch((thrown: unknown) => thrown)
      expect(String(error), name).to.match(/crash/)
      await run()
      expect(finalizers(), name).to.deep.equal([])
      expect(server.cluster.list('Job'), name).to.deep.equal([])
      for (const { metadata } of server.cluster.list('FfmpegCommand')) {
        server.cluster.delete('FfmpegCommand', namespace, metadata.name)
      }
    }
  })

  it('throws an error when its time is over', async () => {
    objects(1)
    server.setDown(true)
    const error: unknown = await run().catch((thrown: unknown) => thrown)
    expect(String(error)).to.match(/not done within 120 s/)
  })
})
