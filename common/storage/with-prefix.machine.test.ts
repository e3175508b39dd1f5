import { expect } from 'chai'
import { openTestBucket } from '../../testing/support/object-store.ts'
import { createObjectStore } from './create-object-store.ts'

describe('an object store with a prefix', function () {
  // The first use on a machine builds the S3 server.
  this.timeout(600_000)
  let whole: ReturnType<typeof createObjectStore>
  let one: typeof whole
  let two: typeof whole
  before(async () => {
    const bucket = await openTestBucket()
    whole = createObjectStore(bucket)
    one = createObjectStore({ ...bucket, prefix: 'one/' })
    two = createObjectStore({ ...bucket, prefix: 'two/' })
  })
  after(() => [whole, one, two].forEach((store) => store.close()))

  const text = (key: string) => ({ key, contentType: 'text/plain', attachment: false })
  const expiresSeconds = 60

  it('puts all objects below the prefix, and returns keys without it', async () => {
    const bytes = Buffer.from('abc')
    await one.putBytes({ ...text('private/a.txt'), bytes })
    await two.putBytes({ ...text('private/a.txt'), bytes: Buffer.from('other') })
    const [grant] = await one.presignPuts([{ ...text('private/b.txt'), sizeBytes: 3 }], 60)
    const { url = '', headers = {} } = grant ?? {}
    expect((await fetch(url, { method: 'PUT', body: bytes, headers })).status).to.equal(200)
    expect([...(await one.list('private/')).keys()]).to.have.members([
      'private/a.txt',
      'private/b.txt',
    ])
    const keys: string[] = []
    for await (const page of one.pages('private/')) keys.push(...page.map(({ key }) => key))
    expect(keys).to.deep.equal(['private/a.txt', 'private/b.txt'])
    expect([...(await whole.list('')).keys()]).to.have.members([
      'one/private/a.txt',
      'one/private/b.txt',
      'two/private/a.txt',
    ])
    const readable = await one.presignGet({
      key: 'private/b.txt',
      expiresSeconds,
      endpoint: 'public',
    })
    expect(await (await fetch(readable)).text()).to.equal('abc')
    expect(await one.readBytes({ key: 'private/a.txt', maxBytes: 10 })).to.deep.equal(
      new Uint8Array(bytes),
    )
    expect(await one.head('private/b.txt')).to.include({ sizeBytes: 3 })
  })

  it('uploads in parts below the prefix', async () => {
    const key = 'private/large.bin'
    const uploadId = await one.createMultipart(text(key))
    const part = { key, uploadId, expiresSeconds }
    const sizes = { partBytes: 5 * 1024 * 1024, sizeBytes: 4 }
    const [url = ''] = await one.presignParts({ ...part, ...sizes, first: 1, count: 1 })
    const answer = await fetch(url, { method: 'PUT', body: 'body' })
    expect(answer.status).to.equal(200)
    expect((await one.listParts(key, uploadId))?.size).to.equal(1)
    const etag = answer.headers.get('etag')?.replaceAll('"', '') ?? ''
    const parts = [{ partNumber: 1, etag }]
    const completed = await one.completeMultipart({ key, uploadId, sizeBytes: 4, parts })
    expect(completed.kind).to.equal('completed')
    expect(await whole.head(`one/${key}`)).to.include({ sizeBytes: 4 })
  })

  it('deletes what is its own and nothing of another prefix', async () => {
    expect([...(await one.deleteObjects(['private/large.bin']))]).to.deep.equal([])
    await one.deletePrefix('private/')
    expect([...(await whole.list('')).keys()]).to.deep.equal(['two/private/a.txt'])
  })
})
