import { expect } from 'chai'
import { BucketRefusal, createBucketCors } from './bucket-cors.ts'
import { createObjectStore } from '../create-object-store.ts'
import { ObjectStoreUnavailable } from '../object-store.ts'
import type { BucketCors } from './bucket-cors.ts'
import type { ObjectStoreOptions } from '../object-store.ts'
import { openTestBucket } from '../../../testing/support/object-store.ts'

describe('createBucketCors', function () {
  // The first use on a machine builds the S3 server.
  this.timeout(600_000)
  let options: ObjectStoreOptions
  let cors: BucketCors
  before(async () => {
    options = await openTestBucket()
    cors = createBucketCors(options)
  })
  after(() => cors.close())

  it('returns no rules for a new bucket, then those that were stored, in their order', async () => {
    expect(await cors.rules()).to.deep.equal([])
    const rules = ['b', 'a'].map((ID) => ({
      ID,
      AllowedMethods: ['GET'],
      AllowedOrigins: ['https://app.example'],
      AllowedHeaders: ['*'],
      ExposeHeaders: ['ETag'],
      MaxAgeSeconds: 60,
    }))
    await cors.replace(rules)
    expect(await cors.rules()).to.deep.equal(rules)
  })

  it('names an object below a prefix when one exists', async () => {
    const store = createObjectStore(options)
    await store.putBytes({
      key: 'public/a/b.txt',
      contentType: 'text/plain',
      attachment: false,
      bytes: Buffer.from('x'),
    })
    store.close()
    expect(await cors.anyKey('public/')).to.equal('public/a/b.txt')
    expect(await cors.anyKey('private/')).to.equal(null)
  })

  it('gives an upload address of the endpoint that users reach', async () => {
    const elsewhere = createBucketCors({ ...options, publicEndpoint: 'https://s3.example' })
    expect(await elsewhere.partUrl()).to.match(
      new RegExp(`^https://s3\\.example/${options.bucket}/private/.*[?&]X-Amz-Signature=`),
    )
    elsewhere.close()
  })

  it("throws the storage's own code when it refuses", async () => {
    const wrong = createBucketCors({ ...options, bucket: 'no-such-bucket' })
    const error: unknown = await wrong.rules().catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(BucketRefusal).and.to.include({ code: 'NoSuchBucket' })
    wrong.close()
  })

  it('throws ObjectStoreUnavailable when there is no answer', async () => {
    const away = createBucketCors({ ...options, endpoint: 'http://127.0.0.1:1' })
    const error: unknown = await away.rules().catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(ObjectStoreUnavailable)
    away.close()
  })
})
