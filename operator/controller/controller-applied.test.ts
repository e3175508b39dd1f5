import { expect } from 'chai'
import { jobName } from '../../common/domain/resource-names.ts'
import { useWorld } from './use-world.fixture.ts'
import { namespace } from './world-parts.fixture.ts'

describe('controller, for what kubectl applied', () => {
  const world = useWorld()

  it('runs an object applied with kubectl under its own UID', async () => {
    const { metadata } = world.server.cluster.create('FfmpegCommand', namespace, {
      metadata: { name: 'by-hand' },
      spec: {
        account: 'default',
        commands: ['-i {{in_1}} {{out_1}}'],
        inputFiles: { in_1: 'https://media.example/a.mp4' },
        outputFiles: { out_1: 'b.mp4' },
        vcpuCount: 99,
      },
    })
    await world.clock.advance(2_000)
    const imported = await world.rowOf(metadata.uid)
    expect(imported).to.deep.include({ vcpuCount: 4, accountName: 'acme' })
    expect(world.jobNames()).to.deep.equal([jobName(metadata.uid, 1)])
    const object = world.server.cluster.get('FfmpegCommand', namespace, 'by-hand')
    expect(object?.metadata.finalizers).to.deep.equal(['cloudffmpeg.dev/record'])
    expect(object?.status).to.include({ vcpuCount: 4 })
    expect(object?.metadata.labels).to.include({ 'cloudffmpeg.dev/account': 'acme' })
  })

  it('ends an applied object above 256 KB as INVALID_COMMAND, with its size', async () => {
    const { metadata } = world.server.cluster.create('FfmpegCommand', namespace, {
      metadata: { name: 'too-large' },
      spec: {
        account: 'default',
        commands: ['-i {{in_1}} {{out_1}}'],
        inputFiles: { in_1: `https://media.example/?${'&'.repeat(51_200)}` },
        outputFiles: { out_1: 'b.mp4' },
      },
    })
    await world.clock.advance(3_000)
    expect(await world.rowOf(metadata.uid)).to.include({
      status: 'FAILED',
      errorStatus: 'INVALID_COMMAND',
      errorMessage:
        'The object takes 301 KB in the cluster, at most 256 KB; the REST API takes 512 KB: use it, or shorter URLs, or split the work over several objects',
    })
    expect(world.jobNames()).to.deep.equal([])
    expect(world.status('too-large')).to.include({ state: 'FAILED' })
  })

  it('writes the status of an applied object of 150 KB at most four times in its life', async () => {
    const { metadata } = world.server.cluster.create('FfmpegCommand', namespace, {
      metadata: { name: 'large' },
      spec: {
        account: 'default',
        commands: ['-i {{in_1}} {{out_1}}'],
        inputFiles: { in_1: `https://media.example/?${'&'.repeat(8_000)}` },
        outputFiles: { out_1: 'b.mp4' },
        environmentName: 'a'.repeat(100_000),
      },
    })
    const states: unknown[] = []
    world.server.cluster.onChange(({ kind, type, object }) => {
      if (kind === 'FfmpegCommand' && type === 'MODIFIED') states.push(object.status?.['state'])
    })
    const pod = await world.runPod(metadata.uid)
    for (let percent = 1; percent < 20; percent += 1) {
      await world.store.storeProgress({
        commandId: metadata.uid,
        attempt: pod.uid,
        status: 'PROCESSING',
        stage: 'FFMPEG_PROCESSING',
        progressPercent: percent,
        steps: [],
        logs: [],
      })
      await world.clock.advance(15_000)
    }
    await world.succeed(metadata.uid, pod.uid)
    await world.clock.advance(5_000)
    expect(states.at(-1)).to.equal('SUCCESS')
    const written = states.filter((state) => state !== undefined)
    expect(written).to.have.length.within(2, 4)
    expect(await world.rowOf(metadata.uid)).to.include({ mirrored: true })
  })

  it('imports a stored file: a record, and a Job of its own that counts no vCPUs', async () => {
    const { metadata } = world.server.cluster.create('StoredFile', namespace, {
      metadata: { name: 'clip' },
      spec: { account: 'acme', source: { url: 'https://media.example/clip.mov' }, private: false },
    })
    await world.clock.advance(3_000)
    const imported = await world.rowOf(metadata.uid)
    expect(imported).to.deep.include({ commandType: 'STORED_FILE', vcpuCount: 0, admitted: true })
    expect(imported.file).to.deep.include({ status: 'QUEUED', deleted: false })
    expect(world.jobNames()).to.deep.equal([jobName(metadata.uid, 1, 'StoredFile')])
    const [job] = world.server.cluster.list('Job')
    expect(job?.metadata.ownerReferences?.[0]).to.deep.include({ kind: 'StoredFile', name: 'clip' })
    const file = world.server.cluster.get('StoredFile', namespace, 'clip')
    expect(file?.metadata.finalizers).to.deep.equal(['cloudffmpeg.dev/record'])
    expect(file?.status).to.deep.include({ state: 'QUEUED', reason: 'JobCreated' })
  })

  it('refuses a stored file that only the service may make', async () => {
    const { metadata } = world.server.cluster.create('StoredFile', namespace, {
      metadata: { name: 'stolen' },
      spec: { account: 'acme', source: { upload: { key: 'private/other/key', name: 'key' } } },
    })
    await world.clock.advance(3_000)
    expect(await world.store.findForReconcile(metadata.uid)).to.equal(null)
    const file = world.server.cluster.get('StoredFile', namespace, 'stolen')
    expect(file?.status).to.deep.include({ state: 'FAILED', reason: 'Rejected' })
  })

  it('records an applied command as failed when the grammar refuses it', async () => {
    world.server.cluster.create('FfmpegCommand', namespace, {
      metadata: { name: 'by-hand' },
      spec: {
        account: 'acme',
        commands: ['-i /etc/passwd {{out_1}}'],
        outputFiles: { out_1: 'a' },
      },
    })
    await world.clock.advance(3_000)
    expect(world.status('by-hand')).to.deep.include({
      state: 'FAILED',
      errorStatus: 'INVALID_COMMAND',
    })
    expect(world.jobNames()).to.deep.equal([])
  })

  it('rejects an applied command of an unknown account without a finalizer', async () => {
    world.server.cluster.create('FfmpegCommand', namespace, {
      metadata: { name: 'by-hand' },
      spec: { account: 'absent', commands: ['a'], outputFiles: { out_1: 'a' } },
    })
    await world.clock.advance(3_000)
    expect(world.status('by-hand')).to.deep.include({ state: 'FAILED', reason: 'Rejected' })
    const object = world.server.cluster.get('FfmpegCommand', namespace, 'by-hand')
    expect(object?.metadata).to.not.have.property('finalizers')
  })
})
