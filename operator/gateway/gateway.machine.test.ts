import { expect } from 'chai'
import { directly } from '../../common/runtime/failpoint.ts'
import { loggerWith } from '../../common/runtime/logger.ts'
import type { LogFields } from '../../common/runtime/logger.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import { openGateway, useGateway } from '../../testing/support/operator/gateway.ts'
import { failure, inputsOf, progress, success } from './messages.fixture.ts'

describe('the gateway', () => {
  const gateway = useGateway()

  describe('assignment', () => {
    it('returns a pod its assignment, the same for a repeated request', async () => {
      const command = await gateway.command()
      const pod = await command.pod()
      const first = await pod.assignment()
      expect(first.status).to.equal(200)
      expect(first.body).to.deep.equal({
        commandId: command.commandId,
        commands: command.source.commands,
        inputs: [{ alias: 'in_1', url: 'https://media.example/a.mp4', stored: null }],
        inputFolder: null,
        outputs: { out_1: 'o.mp4' },
        vcpuCount: 2,
        maxRunSeconds: 300,
        limits: {
          fileBytes: 104_857_600,
          scratchBytes: 1_073_741_824,
          fileCount: 10_000,
          maxPixels: 67_108_864,
          transferSeconds: 900,
        },
        file: null,
        storageOrigin: new URL(gateway.storageBase).origin,
        overlap: { inputs: true, outputs: true },
        network: { allowCidrs: ['10.0.0.0/8'], denyCidrs: [], denyEndpoints: ['db:5432'] },
      })
      expect((await pod.assignment()).body).to.deep.equal(first.body)
    })

    it('closes the addresses that the Kubernetes API has at the time of the request', async () => {
      let servers = ['10.250.0.1:6443']
      const other = await openGateway({ kubernetesApi: () => servers })
      const command = await other.command()
      const pod = await command.pod()
      const denied = async () =>
        (await pod.assignment()).body as { network: { denyEndpoints: string[] } }
      expect((await denied()).network.denyEndpoints).to.deep.equal(['db:5432', '10.250.0.1:6443'])
      servers = ['10.250.0.2:6443']
      expect((await denied()).network.denyEndpoints).to.deep.equal(['db:5432', '10.250.0.2:6443'])
      await other.close()
    })

    it('limits a pod to the working disk that it was made with, though settings differ', async () => {
      const command = await gateway.command()
      const pod = await command.pod()
      const limits = { memoryMbytes: 2_048, scratchMbytes: 64 }
      gateway.pods.show(command.commandId, pod.podUid, { limits })
      expect((await pod.assignment()).body).to.have.nested.property(
        'limits.scratchBytes',
        67_108_864,
      )
    })

    it('returns 409 to a second pod while the first one lives', async () => {
      const command = await gateway.command()
      const [first, second] = [await command.pod(), await command.pod()]
      await first.assignment()
      gateway.pods.show(command.commandId, first.podUid)
      expect(await second.assignment()).to.deep.include({
        status: 409,
        body: { kind: 'superseded' },
      })
    })

    it('returns 503 to a second pod until the loss of the first is decided', async () => {
      const command = await gateway.command()
      const [first, second] = [await command.pod(), await command.pod()]
      await first.assignment()
      gateway.pods.show(command.commandId, first.podUid, { phase: 'Failed' })
      const waiting = await second.assignment()
      expect(waiting.status).to.equal(503)
      expect(waiting.headers.get('retry-after')).to.equal('1')
      await gateway.lose(command.commandId, first.podUid)
      expect((await second.assignment()).status).to.equal(200)
      expect((await first.assignment()).status).to.equal(409)
    })

    it('returns a presigned URL for a file of our own storage, to its account only', async () => {
      const { post, stored } = await gateway.storedOutput()
      expect(post.status).to.equal(200)
      const url = `${gateway.storageBase}/${stored.key}?X-Amz-Signature=old`
      const source = { ...stored.source, inputFiles: { in_1: url } }
      const again = await gateway.command({ source, accountId: stored.accountId })
      const inputs = inputsOf((await (await again.pod()).assignment()).body)
      expect(inputs[0]?.url).to.equal(url)
      const answer = await fetch(inputs[0]?.stored ?? '')
      expect(await answer.text()).to.equal('twenty bytes of video')
      const other = await gateway.command({ source })
      const theirs = inputsOf((await (await other.pod()).assignment()).body)
      expect(theirs).to.deep.equal([{ alias: 'in_1', url, stored: null, missing: true }])
    })
  })

  describe('progress', () => {
    it('stores the progress and returns whether the command is to be cancelled', async () => {
      const { command, pod } = await gateway.claimed()
      expect((await pod.post('/v1/progress', progress)).body).to.deep.equal({ cancel: false })
      await gateway.store.requestCancel(command.commandId, 'administrator')
      expect((await pod.post('/v1/progress', progress)).body).to.deep.equal({ cancel: true })
      const row = await gateway.store.findForReconcile(command.commandId)
      expect(row).to.deep.include({ stage: 'FFMPEG_PROCESSING', progressPercent: 40 })
    })

    it('returns the field that is wrong when a message is invalid', async () => {
      const { pod } = await gateway.claimed()
      const answer = await pod.post('/v1/progress', { ...progress, progressPercent: 100 })
      expect(answer.status).to.equal(422)
      expect(JSON.stringify(answer.body)).to.contain('progressPercent')
      expect((await pod.post('/v1/progress', '{')).status).to.equal(400)
      expect((await pod.post('/v1/progress', 'x'.repeat(9_000_000))).status).to.equal(413)
      expect((await pod.post('/v1/nothing', {})).status).to.equal(404)
    })
  })

  describe('result', () => {
    it('commits a result once and returns the recorded outcome to a repeated report', async () => {
      const { stored, pod } = await gateway.storedOutput()
      const { commandId, accountId } = stored
      const recorded = { kind: 'recorded', status: 'SUCCESS', errorStatus: null }
      expect((await pod.post('/v1/result', success)).body).to.deep.equal(recorded)
      expect((await pod.post('/v1/result', failure('INTERNAL_ERROR'))).body).to.deep.equal(recorded)
      const record = await gateway.store.findCommand(accountId, commandId)
      expect(record?.status).to.equal('SUCCESS')
      expect(record?.files.map(({ key }) => key)).to.deep.equal([stored.key])
      expect(record?.processingBytes).to.equal(30)
      expect(gateway.notified).to.include(commandId)
    })

    it('records a failure, as INTERNAL_ERROR when its status is unknown', async () => {
      for (const [errorStatus, expected] of [
        ['FFMPEG_FAILED', 'FFMPEG_FAILED'],
        ['NEVER_HEARD_OF', 'INTERNAL_ERROR'],
      ] as const) {
        const { pod } = await gateway.claimed()
        expect((await pod.post('/v1/result', failure(errorStatus))).body).to.deep.equal({
          kind: 'recorded',
          status: 'FAILED',
          errorStatus: expected,
        })
      }
    })

    it('returns 409 to an attempt that does not hold the command', async () => {
      const command = await gateway.command()
      const [first, second] = [await command.pod(), await command.pod()]
      await first.assignment()
      expect((await second.post('/v1/result', success)).status).to.equal(409)
      await gateway.lose(command.commandId, first.podUid)
      expect((await first.post('/v1/result', success)).status).to.equal(409)
      expect((await first.post('/v1/progress', progress)).status).to.equal(409)
      const row = await gateway.store.findForReconcile(command.commandId)
      expect(row?.status).to.equal('PROCESSING')
    })

    it('returns the recorded outcome to reports after the end', async () => {
      const { command, pod } = await gateway.claimed()
      await pod.post('/v1/result', failure('DISK_FULL'))
      const final = { status: 410, body: { status: 'FAILED', errorStatus: 'DISK_FULL' } }
      expect(await pod.assignment()).to.deep.include(final)
      expect(await pod.post('/v1/progress', progress)).to.deep.include(final)
      expect(await (await command.pod()).assignment()).to.deep.include(final)
      const uploads = {
        files: [{ path: 'o.mp4', sizeBytes: 1, contentType: 'a/b', attachment: true }],
      }
      expect(await pod.post('/v1/uploads', uploads)).to.deep.include(final)
    })

    it('returns 404 when the command does not exist', async () => {
      const { token } = await gateway.command().then((command) => command.pod())
      const podName = 'ffc-01900000-0000-7000-8000-000000000000-1-abcde'
      const unknown = await gateway.cluster.token({ podName, podUid: 'pod' })
      expect((await gateway.call(unknown, 'GET', '/v1/assignment')).status).to.equal(404)
      expect((await gateway.call(unknown, 'POST', '/v1/result', success)).status).to.equal(404)
      expect((await gateway.call(token, 'GET', '/v1/assignment')).status).to.equal(200)
    })
  })

  it('counts requests by route, and all unknown paths as one', async () => {
    await gateway.call(null, 'GET', '/v1/assignment')
    await gateway.call(null, 'GET', '/made/up')
    const metrics = await gateway.registry.metrics()
    expect(metrics).to.contain('gateway_requests_total{route="GET /v1/assignment",code="401"}')
    expect(metrics).to.contain('gateway_requests_total{route="other",code="401"}')
    expect(metrics).not.to.contain('made')
  })
})

describe('the gateway while something is away', function () {
  this.timeout(600_000)

  it('returns 503 when the database is unavailable, and logs the runner of the request', async () => {
    const effects = systemEffects()
    const lines: LogFields[] = []
    const away = await openGateway({
      logger: loggerWith({}, (_level, _message, fields) => lines.push(fields)),
      effects: {
        ...effects,
        failpoint: (name, effect) =>
          name === 'gateway.progress_stored'
            ? Promise.reject(new DatabaseUnavailable(new Error('down')))
            : directly(name, effect),
      },
    })
    const { command, pod } = await away.claimed()
    const answer = await pod.post('/v1/progress', progress)
    expect(answer.status).to.equal(503)
    expect(lines.at(-1)).to.include({
      route: 'POST /v1/progress',
      command_id: command.commandId,
      attempt: pod.podUid,
    })
    expect(answer.headers.get('retry-after')).to.equal('1')
    await away.close()
  })

  it('returns the recorded outcome when the first reply was lost', async () => {
    const effects = systemEffects()
    let lose = false
    const losing = await openGateway({
      effects: {
        ...effects,
        failpoint: (name, effect) =>
          name === 'gateway.replied' && lose
            ? Promise.reject(new Error('lost'))
            : directly(name, effect),
      },
    })
    const { pod } = await losing.claimed()
    lose = true
    expect((await pod.post('/v1/result', failure('FFMPEG_FAILED'))).status).to.equal(500)
    lose = false
    expect((await pod.post('/v1/result', failure('DISK_FULL'))).body).to.deep.equal({
      kind: 'recorded',
      status: 'FAILED',
      errorStatus: 'FFMPEG_FAILED',
    })
    await losing.close()
  })
})
