import { expect } from 'chai'
import { useGateway } from '../../../testing/support/operator/gateway.ts'
import { grantOf, grantsOf, urlsOf } from '../messages.fixture.ts'

describe('uploads by way of the gateway', () => {
  const gateway = useGateway()

  const mebibyte = 1024 * 1024
  const big = {
    path: 'big.mp4',
    sizeBytes: 17 * mebibyte,
    contentType: 'video/mp4',
    attachment: false,
  }

  it('lets a runner store a small file in one PUT under the prefix of its attempt', async () => {
    const { stored, pod } = await gateway.storedOutput()
    expect(stored.key).to.equal(
      `public/${stored.accountId}/${stored.commandId}/${pod.podUid}/o.mp4`,
    )
    expect(await gateway.objects.head(stored.key)).to.include({ sizeBytes: 21 })
  })

  it('stores a large file in parts, and opens one upload for any number of requests', async () => {
    const { command, pod } = await gateway.claimed({ isPrivate: true })
    const grant = grantOf((await pod.post('/v1/uploads', { files: [big] })).body)
    const repeated = grantOf((await pod.post('/v1/uploads', { files: [big] })).body)
    expect(repeated.uploadId).to.equal(grant.uploadId)
    expect(grant.partBytes).to.equal(16 * mebibyte)
    expect(grant.urls).to.have.length(2)
    const { uploadId, path } = { uploadId: grant.uploadId, path: big.path }
    const parts2 = { path, uploadId, partNumbers: [2], sizes: [mebibyte] }
    const fresh = await pod.post('/v1/uploads/parts', parts2)
    const urls = [grant.urls?.[0] ?? '', urlsOf(fresh.body)[0] ?? '']
    const parts = []
    for (const [index, bytes] of [16 * mebibyte, mebibyte].entries()) {
      const answer = await fetch(urls[index] ?? '', { method: 'PUT', body: Buffer.alloc(bytes) })
      parts.push({ partNumber: index + 1, etag: answer.headers.get('etag') ?? '' })
    }
    const complete = { path, uploadId, sizeBytes: big.sizeBytes, parts }
    const done = await pod.post('/v1/uploads/complete', complete)
    expect(done.status).to.equal(200)
    expect((await pod.post('/v1/uploads/complete', complete)).body).to.deep.equal(done.body)
    const wrong = await pod.post('/v1/uploads/complete', { ...complete, sizeBytes: 1 })
    expect(wrong.status).to.equal(422)
    const key = `private/${command.accountId}/${command.commandId}/${pod.podUid}/big.mp4`
    const stored = await gateway.objects.head(key)
    expect(stored).to.deep.equal({ sizeBytes: big.sizeBytes, ...(done.body as object) })
    expect(await gateway.store.findUpload(pod.podUid, key)).to.equal(null)
  })

  it('stores a file whose size is not known before its last part', async () => {
    const { command, pod } = await gateway.claimed()
    const file = {
      path: 'long.ts',
      sizeBytes: null,
      contentType: 'video/mp2t',
      attachment: false,
    }
    const grant = grantOf((await pod.post('/v1/uploads', { files: [file] })).body)
    expect([grant.partBytes, grant.urls?.length]).to.deep.equal([5 * mebibyte, 16])
    const { uploadId } = grant
    const last = { path: file.path, uploadId, partNumbers: [3], sizes: [7] }
    const urls = [
      ...(grant.urls ?? []).slice(0, 2),
      ...urlsOf((await pod.post('/v1/uploads/parts', last)).body),
    ]
    const parts = []
    for (const [index, bytes] of [5 * mebibyte, 5 * mebibyte, 7].entries()) {
      const body = Buffer.alloc(bytes, index)
      const answer = await fetch(urls[index] ?? '', { method: 'PUT', body })
      parts.push({ partNumber: index + 1, etag: answer.headers.get('etag') ?? '' })
    }
    const complete = { path: file.path, uploadId: grant.uploadId, parts }
    const sizeBytes = 10 * mebibyte + 7
    const post = () => pod.post('/v1/uploads/complete', { ...complete, sizeBytes })
    expect((await post()).status).to.equal(200)
    const key = `public/${command.accountId}/${command.commandId}/${pod.podUid}/long.ts`
    expect(await gateway.objects.head(key)).to.include({ sizeBytes })
  })

  it('signs each part for its length, so that storage refuses a longer body', async () => {
    const { command, pod } = await gateway.claimed()
    const file = { ...big, sizeBytes: 16 * mebibyte + 5 }
    const grant = grantOf((await pod.post('/v1/uploads', { files: [file] })).body)
    const { uploadId = '', urls = [] } = grant
    const request = { path: big.path, uploadId, partNumbers: [2], sizes: [5] }
    const [url = ''] = urlsOf((await pod.post('/v1/uploads/parts', request)).body)
    for (const last of [urls[1] ?? '', url]) {
      const put = async (body: string) => (await fetch(last, { method: 'PUT', body })).status
      expect(await put('longer')).to.equal(403)
      expect(await put('exact')).to.equal(200)
    }
    const key = `public/${command.accountId}/${command.commandId}/${pod.podUid}/big.mp4`
    await gateway.objects.abortMultipart(key, uploadId)
  })

  it('returns 422 for parts whose sizes are missing in part, or above the size of a part', async () => {
    const { pod } = await gateway.claimed()
    const grant = grantOf((await pod.post('/v1/uploads', { files: [big] })).body)
    const parts = { path: big.path, uploadId: grant.uploadId, partNumbers: [1, 2] }
    const wrong = [
      [[mebibyte], 'sizes must have one entry for each of partNumbers, 2; got 1'],
      [[mebibyte, 17 * mebibyte], `sizes must be at most ${16 * mebibyte} bytes each`],
    ] as const
    for (const [sizes, detail] of wrong) {
      const { status, body } = await pod.post('/v1/uploads/parts', { ...parts, sizes })
      expect(status).to.equal(422)
      expect(JSON.stringify(body)).to.include(detail)
    }
  })

  it('returns 422 for parts without sizes', async () => {
    const { pod } = await gateway.claimed()
    const grant = grantOf((await pod.post('/v1/uploads', { files: [big] })).body)
    const request = { path: big.path, uploadId: grant.uploadId, partNumbers: [2] }
    const { status, body } = await pod.post('/v1/uploads/parts', request)
    expect(status).to.equal(422)
    expect(JSON.stringify(body)).to.include('sizes')
  })

  it('stores files whose names the object store treats specially', async () => {
    const { command, pod } = await gateway.claimed()
    const paths = [
      'seg 000.ts',
      'ü1.ts',
      '.h2.ts',
      'a+b@3.ts',
      '12:30:04.ts',
      "it's (5) #6?&.ts",
      '%41.ts',
    ].map((name) => `out_playlist_1/${name}`)
    const files = paths.map((path) => ({
      path,
      sizeBytes: 4,
      contentType: 'video/mp2t',
      attachment: false,
    }))
    const answer = await pod.post('/v1/uploads', { files })
    for (const [index, path] of paths.entries()) {
      const { url = '', headers = {} } = grantsOf(answer.body)[index] ?? {}
      const put = await fetch(url, { method: 'PUT', body: 'made', headers })
      expect(put.status, path).to.equal(200)
      const key = `public/${command.accountId}/${command.commandId}/${pod.podUid}/${path}`
      expect(await gateway.objects.head(key), path).to.include({ sizeBytes: 4 })
    }
  })

  it('stores the type that the name gives, and not the one that a runner sends', async () => {
    const { command, pod } = await gateway.claimed()
    const said = { contentType: 'text/html', attachment: false }
    const opposite = { contentType: 'application/octet-stream', attachment: true }
    const expected = [
      ['page.html', said, 'application/octet-stream', 'attachment'],
      ['drawing.SVG', said, 'application/octet-stream', 'attachment'],
      ['clip.mp4', opposite, 'video/mp4', null],
      ['notes.txt', {}, 'text/plain; charset=utf-8', null],
    ] as const
    for (const sizeBytes of [4, null]) {
      for (const [path, claimed, type, disposition] of expected) {
        const file = { path: `${sizeBytes ?? 'growing'}/${path}`, sizeBytes, ...claimed }
        const grants = (await pod.post('/v1/uploads', { files: [file] })).body
        await storeFour(pod, file.path, grants)
        const key = `public/${command.accountId}/${command.commandId}/${pod.podUid}/${file.path}`
        const stored = await fetch(
          await gateway.objects.presignGet({ key, expiresSeconds: 60, endpoint: 'public' }),
        )
        expect(await stored.text(), file.path).to.equal('made')
        expect(stored.headers.get('content-type'), file.path).to.equal(type)
        expect(stored.headers.get('content-disposition'), file.path).to.equal(disposition)
        expect(stored.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
      }
    }

    async function storeFour(to: typeof pod, path: string, grants: unknown): Promise<void> {
      const { url, headers = {}, urls, uploadId } = grantOf(grants)
      const put = (at = '') => fetch(at, { method: 'PUT', body: 'made', headers })
      if (uploadId === undefined) {
        expect((await put(url)).status).to.equal(200)
        return
      }
      const last = { path, uploadId, partNumbers: [1], sizes: [4] }
      expect(urls).to.not.equal(undefined)
      const part = await put(urlsOf((await to.post('/v1/uploads/parts', last)).body)[0])
      const parts = [{ partNumber: 1, etag: part.headers.get('etag') ?? '' }]
      const complete = { path, uploadId, sizeBytes: 4, parts }
      expect((await to.post('/v1/uploads/complete', complete)).status).to.equal(200)
    }
  })

  it('returns no URL to a superseded attempt, and none outside the prefix of an attempt', async () => {
    const command = await gateway.command()
    const [first, second] = [await command.pod(), await command.pod()]
    await first.assignment()
    const grant = grantOf((await first.post('/v1/uploads', { files: [big] })).body)
    await gateway.lose(command.commandId, first.podUid)
    await second.assignment()
    const { uploadId } = grant
    const parts = { path: big.path, uploadId, partNumbers: [1], sizes: [mebibyte] }
    expect((await first.post('/v1/uploads', { files: [big] })).status).to.equal(409)
    expect((await first.post('/v1/uploads/parts', parts)).status).to.equal(409)
    expect((await second.post('/v1/uploads/parts', parts)).status).to.equal(404)
    for (const path of ['../o.mp4', 'a/../../o.mp4', '/etc/o.mp4']) {
      const escape = await second.post('/v1/uploads/parts', { ...parts, path })
      expect(escape.status, path).to.equal(422)
    }
  })
})
