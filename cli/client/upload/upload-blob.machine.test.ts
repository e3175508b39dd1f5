import { expect } from 'chai'
import { mebibyte, useFilesApp } from '../../../testing/support/api/files.ts'
import { systemClock } from '../../../common/runtime/system-effects.ts'
import { rejectionOf } from '../../../testing/support/mocha.ts'
import { createClient } from '../client.ts'
import { uploadBlob } from './upload-blob.ts'

describe('uploadBlob', () => {
  const app = useFilesApp()
  const deps = (send = fetch) => ({
    client: createClient({ url: app.url, apiKey: app.key }),
    clock: systemClock,
    fetch: send,
  })

  it('uploads a file in parts, and tells how much is sent', async () => {
    const bytes = Buffer.alloc(5 * mebibyte + 1_000, 'a clip ')
    const file = new File([bytes], 'my clip.mov', { type: 'video/quicktime' })
    const sent: number[] = []
    const { file_id, status } = await uploadBlob(deps(), file, {
      isPrivate: true,
      partSize: 5 * mebibyte,
      parallel: 1,
      onProgress: (done) => sent.push(done),
    })
    expect(status).to.equal('UPLOADED')
    expect(sent).to.deep.equal([0, 5 * mebibyte, bytes.length])
    // The analysis would set this status; private URLs are presigned from then on.
    await app.query('stored', "update files set status = 'STORED' where file_id = $1", [file_id])
    const { storage_url } = await deps().client.getFile(file_id, { presigned_ttl_seconds: 3_600 })
    expect(storage_url).to.contain('my_clip.mov')
    const stored = await fetch(storage_url ?? '')
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).to.equal(true)
  })

  it('sends a part again after a broken connection, and gives up on a storage that hides its ETags', async () => {
    let calls = 0
    const broken: typeof fetch = (...given) =>
      ++calls === 1 ? Promise.reject(new TypeError('fetch failed')) : fetch(...given)
    const failures: number[] = []
    const blob = new Blob(['a clip'])
    const onRetry = (retry: { failures: number }) => failures.push(retry.failures)
    const record = await uploadBlob(deps(broken), blob, { name: 'clip.mov', onRetry })
    expect([record.status, failures]).to.deep.equal(['UPLOADED', [1]])
    const hiding: typeof fetch = () => Promise.resolve(new Response())
    const error = await rejectionOf(uploadBlob(deps(hiding), blob, { name: 'clip.mov' }))
    expect(String(error)).to.contain('hides the ETag')
  })

  it('refuses a blob without a name or without bytes', async () => {
    expect(String(await rejectionOf(uploadBlob(deps(), new Blob(['a']))))).to.contain(
      'needs the name',
    )
    const empty = new File([], 'clip.mov')
    expect(String(await rejectionOf(uploadBlob(deps(), empty)))).to.contain('clip.mov is empty')
  })
})
