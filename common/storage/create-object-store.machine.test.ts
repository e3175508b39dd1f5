import { expect } from 'chai'
import { createObjectStore } from './create-object-store.ts'
import { ObjectStoreUnavailable } from './object-store.ts'
import type { ObjectStoreOptions } from './object-store.ts'
import { openTestBucket } from '../../testing/support/object-store.ts'

const fiveMib = 5 * 1024 * 1024
const expiresSeconds = 600

describe('createObjectStore', function () {
  // The first use on a machine builds the S3 server.
  this.timeout(600_000)
  let options: ObjectStoreOptions
  let store: ReturnType<typeof createObjectStore>
  before(async () => {
    options = await openTestBucket()
    store = createObjectStore(options)
  })
  after(() => store.close())

  const put = async (url: string, body: Uint8Array, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'PUT', body: Buffer.from(body), headers })
  const grantFor = async (object: Parameters<typeof store.presignPuts>[0][number]) => {
    const [grant] = await store.presignPuts([object], expiresSeconds)
    if (grant === undefined) throw new Error('no URL for the object')
    return grant
  }
  const store1 = async (key: string, text: string) => {
    const body = Buffer.from(text)
    const object = { key, contentType: 'text/plain', attachment: false }
    const grant = await grantFor({ ...object, sizeBytes: body.length })
    const answer = await put(grant.url, body, grant.headers)
    expect(answer.status).to.equal(200)
  }

  it('stores by a presigned PUT, with the type and disposition that were signed', async () => {
    const body = Buffer.from('<svg/>')
    const { url, headers } = await grantFor({
      key: 'private/a b+ü.svg',
      contentType: 'application/octet-stream',
      attachment: true,
      sizeBytes: body.length,
    })
    expect((await put(url, body, headers)).status).to.equal(200)
    expect(await store.head('private/a b+ü.svg')).to.include({ sizeBytes: body.length })
    const key = 'private/a b+ü.svg'
    const answer = await fetch(await store.presignGet({ key, expiresSeconds, endpoint: 'public' }))
    expect(await answer.text()).to.equal('<svg/>')
    expect(answer.headers.get('content-type')).to.equal('application/octet-stream')
    expect(answer.headers.get('content-disposition')).to.equal('attachment')
    expect(answer.headers.get('cache-control')).to.equal('private, max-age=0')
  })

  it('refuses a PUT of another type, another size or to another key', async () => {
    const body = Buffer.from('12345')
    const grant = await grantFor({
      key: 'private/x.txt',
      contentType: 'text/plain',
      attachment: true,
      sizeBytes: body.length,
    })
    const html = { ...grant.headers, 'content-type': 'text/html' }
    expect((await put(grant.url, body, html)).status).to.equal(403)
    const { 'content-disposition': _, ...shown } = grant.headers
    expect((await put(grant.url, body, shown)).status).to.equal(403)
    expect((await put(grant.url, Buffer.from('123456'), grant.headers)).status).to.equal(403)
    const elsewhere = grant.url.replace('x.txt', 'y.txt')
    expect((await put(elsewhere, body, grant.headers)).status).to.equal(403)
    expect(await store.head('private/x.txt')).to.equal(null)
  })

  const upload = async (key: string) => {
    const uploadId = await store.createMultipart({
      key,
      contentType: 'video/mp4',
      attachment: false,
    })
    const parts = []
    for (const [partNumber, size] of [
      [1, fiveMib],
      [2, 1_000],
    ] as const) {
      const part = { key, uploadId, partNumber, sizeBytes: size, expiresSeconds }
      const url = await store.presignPart(part)
      const answer = await put(url, Buffer.alloc(size, partNumber))
      parts.push({ partNumber, etag: answer.headers.get('etag') ?? '' })
    }
    return { key, uploadId, sizeBytes: fiveMib + 1_000, parts }
  }

  it('completes a multipart upload, and returns the same when repeated', async () => {
    const completed = await upload('public/big.mp4')
    const backwards = { ...completed, parts: completed.parts.toReversed() }
    const first = await store.completeMultipart(backwards)
    expect(first.kind).to.equal('completed')
    expect(await store.completeMultipart(completed)).to.deep.equal(first)
    expect(await store.head('public/big.mp4')).to.include({ etag: 'etag' in first && first.etag })
    expect(await store.head('public/big.mp4')).to.include({ sizeBytes: fiveMib + 1_000 })
  })

  it('lets caches keep public objects for a year, however they were stored', async () => {
    const parts = await upload('public/kept.mp4')
    await store.completeMultipart(parts)
    await store1('public/kept.txt', 'text')
    const bytes = Buffer.from('bytes')
    const own = { key: 'public/kept.log', contentType: 'text/plain', attachment: false, bytes }
    await store.putBytes(own)
    for (const key of ['public/kept.mp4', 'public/kept.txt', 'public/kept.log']) {
      const url = await store.presignGet({ key, expiresSeconds, endpoint: 'public' })
      const answer = await fetch(url, { headers: { range: 'bytes=0-0' } })
      await answer.arrayBuffer()
      expect(answer.headers.get('cache-control'), key).to.equal(
        'public, max-age=31536000, immutable',
      )
    }
  })

  it('refuses a part of another length than it was signed for', async () => {
    const key = 'public/part.mp4'
    const object = { key, contentType: 'video/mp4', attachment: false }
    const part = { key, uploadId: await store.createMultipart(object), partNumber: 1 }
    const plan = { first: 1, count: 1, partBytes: fiveMib, sizeBytes: 5 }
    const urls = [
      await store.presignPart({ ...part, sizeBytes: 5, expiresSeconds }),
      ...(await store.presignParts({ ...part, ...plan, expiresSeconds })),
    ]
    for (const url of urls) {
      expect((await put(url, Buffer.from('longer'))).status).to.equal(403)
      expect((await put(url, Buffer.from('less'))).status).to.equal(403)
      expect(await store.listParts(key, part.uploadId)).to.deep.equal(new Map())
    }
    for (const url of urls) expect((await put(url, Buffer.from('exact'))).status).to.equal(200)
    await store.abortMultipart(key, part.uploadId)
  })

  it('refuses to complete with a wrong part or to a wrong size', async () => {
    const completed = await upload('public/wrong.mp4')
    const parts = completed.parts.map((part) => ({ ...part, etag: '"0123"' }))
    const wrong = await store.completeMultipart({ ...completed, parts })
    expect(wrong.kind).to.equal('refused')
    const short = await store.completeMultipart({ ...completed, sizeBytes: 5 })
    expect(short.kind).to.equal('refused')
  })

  it('aborts an upload, also twice, and all below a prefix', async () => {
    const one = await upload('public/p/1')
    await store.abortMultipart(one.key, one.uploadId)
    await store.abortMultipart(one.key, one.uploadId)
    expect((await store.completeMultipart(one)).kind).to.equal('refused')
    const two = await upload('public/p/2')
    const other = await upload('public/q/3')
    await store.abortMultiparts('public/p/')
    expect((await store.completeMultipart(two)).kind).to.equal('refused')
    expect((await store.completeMultipart(other)).kind).to.equal('completed')
  })

  it('aborts all uploads to one key and none to a longer one', async () => {
    const uploads = [await upload('public/k/1'), await upload('public/k/1')]
    const longer = await upload('public/k/10')
    await store.abortMultipartsOf('public/k/1')
    for (const each of uploads) {
      expect((await store.completeMultipart(each)).kind).to.equal('refused')
    }
    expect((await store.completeMultipart(longer)).kind).to.equal('completed')
  })

  it('lists what lies below a prefix, page by page, as a HEAD of each object would', async () => {
    const keys = Array.from({ length: 1_002 }, (_, index) => `public/l/${index}`)
    for (let first = 0; first < keys.length; first += 50) {
      const some = keys.slice(first, first + 50)
      await Promise.all(some.map((key) => store1(key, `object ${key}`)))
    }
    const listed = await store.list('public/l/')
    expect([...listed.keys()].toSorted()).to.deep.equal(keys.toSorted())
    expect(listed.get('public/l/7')).to.deep.equal(await store.head('public/l/7'))
  })

  it('deletes what lies below a prefix and nothing beside it', async () => {
    for (const key of ['public/s/1', 'public/s/2/3', 'public/s2']) await store1(key, 'x')
    expect(await store.deletePrefix('public/s/')).to.equal(2)
    expect(await store.deletePrefix('public/s/')).to.equal(0)
    expect(await store.head('public/s/2/3')).to.equal(null)
    expect(await store.head('public/s2')).to.include({ sizeBytes: 1 })
    const everything: unknown = await store.deletePrefix('').catch((error: unknown) => error)
    expect(everything).to.be.instanceOf(TypeError)
  })

  it('signs for the address that users reach', async () => {
    const shop = createObjectStore({ ...options, publicEndpoint: 'https://files.example' })
    const get = { key: 'private/k', expiresSeconds }
    const outside = await shop.presignGet({ ...get, endpoint: 'public' })
    expect(new URL(outside).host).to.equal('files.example')
    const inside = await shop.presignGet({ ...get, endpoint: 'internal' })
    expect(inside).to.match(new RegExp(`^${options.endpoint}/`))
    shop.close()
  })

  it('reports the store as unavailable when the connection is refused', async () => {
    const away = createObjectStore({ ...options, endpoint: 'http://127.0.0.1:1' })
    const error: unknown = await away.head('k').catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(ObjectStoreUnavailable)
    away.close()
  })
})
