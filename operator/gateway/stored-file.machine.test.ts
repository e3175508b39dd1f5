import { expect } from 'chai'
import { useGateway } from '../../testing/support/operator/gateway.ts'
import { grantOf } from './messages.fixture.ts'

describe('a stored file by way of the gateway', () => {
  const gateway = useGateway()

  const megabyte = 1_048_576
  const url = 'https://media.example/clip.mov'
  const upload = (sizeBytes: number) => ({
    files: [{ path: 'clip.mov', sizeBytes, contentType: 'video/quicktime', attachment: false }],
  })

  it('assigns a stored file as a URL to fetch, and records its object', async () => {
    const { accountId, fileId, pod } = await gateway.storedFile(url)
    const { body } = await pod.assignment()
    expect(body).to.deep.include({
      commands: [],
      vcpuCount: 1,
      file: { kind: 'store', source: { alias: 'file', url, stored: null } },
    })
    const grant = grantOf((await pod.post('/v1/uploads', upload(5))).body)
    const put = await fetch(grant.url ?? '', {
      method: 'PUT',
      body: 'video',
      headers: grant.headers ?? {},
    })
    expect(put.status).to.equal(200)
    const answer = await pod.post('/v1/result', resultOf(5))
    expect(answer.body).to.deep.include({ kind: 'recorded', status: 'SUCCESS' })
    const key = `private/${accountId}/${fileId}/${pod.podUid}/clip.mov`
    expect((await gateway.store.findForReconcile(fileId))?.file).to.deep.include({
      status: 'STORED',
      key,
      sizeBytes: 5,
      fileType: 'video',
    })
    expect(await gateway.objects.head(key)).to.include({ sizeBytes: 5 })
  })

  it('looks a URL of our own storage up for the account of the file', async () => {
    const { stored } = await gateway.storedOutput()
    const { pod } = await gateway.storedFile(`${gateway.storageBase}/${stored.key}`)
    const { body } = await pod.assignment()
    // A file of another account: it is looked up for the account of the file.
    expect(body).to.have.nested.property('file.source.stored', null)
  })

  it('fails a stored file with QUOTA_EXCEEDED when it does not fit the storage that is left', async () => {
    const { fileId, pod } = await gateway.storedFile(url)
    await pod.assignment()
    const answer = await pod.post('/v1/uploads', upload(3 * megabyte))
    expect(answer.status).to.equal(410)
    expect(answer.body).to.deep.equal({ status: 'FAILED', errorStatus: 'QUOTA_EXCEEDED' })
    expect((await gateway.store.findForReconcile(fileId))?.file).to.deep.include({
      status: 'FAILED',
      errorStatus: 'QUOTA_EXCEEDED',
      errorMessage: 'The file needs 3 MB, 1 MB of storage are left',
    })
    const again = await pod.post('/v1/uploads', upload(3 * megabyte))
    expect(again.status).to.equal(410)
  })

  it('returns 422 when an upload of a stored file has no size', async () => {
    const { pod } = await gateway.storedFile(url)
    await pod.assignment()
    const file = { path: 'clip.mov', contentType: 'video/quicktime', attachment: false }
    const answer = await pod.post('/v1/uploads', { files: [{ ...file, sizeBytes: null }] })
    expect(answer.status).to.equal(422)
  })

  it('fails a stored file with INTERNAL_ERROR when the result has no object', async () => {
    const { fileId, pod } = await gateway.storedFile(url)
    await pod.assignment()
    const { outcome, ...rest } = resultOf(5)
    await pod.post('/v1/result', { ...rest, outcome: { ...outcome, files: [] } })
    expect((await gateway.store.findForReconcile(fileId))?.file).to.deep.include({
      status: 'FAILED',
      errorStatus: 'INTERNAL_ERROR',
    })
  })
})

function resultOf(sizeBytes: number) {
  const none = { compressedBytes: null, fileCount: null }
  const file = { alias: 'file', path: 'clip.mov', sizeBytes, ...none, media }
  return {
    outcome: { status: 'SUCCESS', files: [file] },
    steps: [],
    usage: { inputBytes: 0, outputBytes: 0, ffmpegStarted: false, ffmpegRunSeconds: null },
    logs: [],
  }
}

const media = {
  duration: 4,
  file_type: 'video',
  file_format: 'mov',
  width: 64,
  height: 48,
  codec: 'h264',
  timebase: '1/12800',
  pixel_format: 'yuv420p',
  mime_type: 'video/quicktime',
  frame_rate: 25,
  bitrate_video_kb: 100,
  bitrate_audio_kb: null,
  video_profile_level: null,
  is_varying_frame_rate: false,
}
