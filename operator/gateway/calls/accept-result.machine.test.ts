import { expect } from 'chai'
import { useGateway } from '../../../testing/support/operator/gateway.ts'
import { grantOf, success } from '../messages.fixture.ts'

describe('the objects of a result', () => {
  const gateway = useGateway()
  type Pod = Awaited<ReturnType<typeof gateway.claimed>>['pod']

  const store = async (pod: Pod, path: string, text: string) => {
    const body = Buffer.from(text)
    const file = { path, sizeBytes: body.length, contentType: 'video/mp4', attachment: false }
    const grant = grantOf((await pod.post('/v1/uploads', { files: [file] })).body)
    const answer = await fetch(grant.url ?? '', {
      method: 'PUT',
      body,
      headers: grant.headers ?? {},
    })
    const etag = (answer.headers.get('etag') ?? '').replaceAll('"', '')
    return { path, sizeBytes: body.length, etag }
  }
  const [output] = success.outcome.files
  const resultOf = (change: object, files: readonly object[] = [{ ...output, path: 'o.mp4' }]) => ({
    ...success,
    outcome: { status: 'SUCCESS', files, ...change },
  })
  const text = 'twenty bytes of video'

  it('commits a success whose object is in storage as it was stored', async () => {
    const { pod } = await gateway.claimed()
    const object = await store(pod, 'o.mp4', text)
    const answer = await pod.post('/v1/result', resultOf({ objects: [object] }))
    expect(answer.body).to.include({ kind: 'recorded', status: 'SUCCESS' })
  })

  it('the gateway has the runner store an object again whose contents differ, and then commits', async () => {
    const { pod } = await gateway.claimed()
    const before = gateway.stages.length
    const object = await store(pod, 'o.mp4', text)
    await store(pod, 'o.mp4', text.toUpperCase())
    const first = await pod.post('/v1/result', resultOf({ objects: [object] }))
    expect(first.body).to.deep.equal({ kind: 'differs', paths: ['o.mp4'] })
    await store(pod, 'o.mp4', text)
    const again = await pod.post('/v1/result', resultOf({ objects: [object], storedAgain: true }))
    expect(again.body).to.include({ kind: 'recorded', status: 'SUCCESS' })
    await pod.post('/v1/result', resultOf({ objects: [object], storedAgain: true }))
    const observed = gateway.stages.slice(before).filter(({ stage }) => stage === 'commit')
    expect(observed).to.have.length(1)
  })

  it('a command fails with STORAGE_ERROR when an object differs after it was stored again', async () => {
    const { command, pod } = await gateway.claimed()
    const object = { ...(await store(pod, 'o.mp4', 'short')), sizeBytes: 21 }
    const answer = await pod.post('/v1/result', resultOf({ objects: [object], storedAgain: true }))
    expect(answer.body).to.include({ status: 'FAILED', errorStatus: 'STORAGE_ERROR' })
    const record = await gateway.store.findCommand(command.accountId, command.commandId)
    expect(record?.errorMessage).to.equal('o.mp4 is not in storage as it was stored: 5 of 21 bytes')
  })

  it('a command fails with STORAGE_ERROR when a runner of an earlier release has not stored its output', async () => {
    const { command, pod } = await gateway.claimed()
    const answer = await pod.post('/v1/result', resultOf({}))
    expect(answer.body).to.include({ status: 'FAILED', errorStatus: 'STORAGE_ERROR' })
    const record = await gateway.store.findCommand(command.accountId, command.commandId)
    expect(record?.errorMessage).to.contain('it is missing')
  })

  it('compares all objects of several outputs, and names those that differ', async () => {
    const { pod } = await gateway.claimed()
    const objects = await Promise.all([
      store(pod, 'o.mp4', text),
      store(pod, 'p/list.m3u8', 'list'),
      store(pod, 'p/0.ts', 'segment'),
    ])
    const playlist = { ...output, alias: 'out_2', path: 'p/list.m3u8', sizeBytes: 11, fileCount: 2 }
    const files = [{ ...output, path: 'o.mp4' }, playlist]
    const gone = { path: 'p/1.ts', sizeBytes: 0, etag: null }
    const first = await pod.post('/v1/result', resultOf({ objects: [...objects, gone] }, files))
    expect(first.body).to.deep.equal({ kind: 'differs', paths: ['p/1.ts'] })
    const second = await pod.post('/v1/result', resultOf({ objects }, files))
    expect(second.body).to.include({ kind: 'recorded', status: 'SUCCESS' })
  })

  it('returns 422 when the objects of a result are not its files', async () => {
    const { pod } = await gateway.claimed()
    const object = await store(pod, 'o.mp4', text)
    for (const objects of [[], [{ ...object, sizeBytes: 5 }], [{ ...object, path: 'other.mp4' }]]) {
      expect((await pod.post('/v1/result', resultOf({ objects }))).status).to.equal(422)
    }
  })
})
