import {
  GetBucketPolicyCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { expect } from 'chai'
import { openTestBucket } from '../../../testing/support/object-store.ts'
import type { TestBucket } from '../../../testing/support/object-store.ts'
import { useStorageAdmin } from './storage-admin.fixture.ts'

describe('admin storage prepare', function () {
  // The first use on a machine builds the S3 server.
  this.timeout(600_000)
  const admin = useStorageAdmin()
  let bucket: TestBucket
  beforeEach(async () => {
    const existing = await openTestBucket()
    bucket = { ...existing, bucket: `${existing.bucket}-new` }
  })

  async function withClient<T>(run: (client: S3Client) => Promise<T>): Promise<T> {
    const { endpoint, region, credentials } = bucket
    const client = new S3Client({
      endpoint: endpoint ?? '',
      region,
      credentials,
      forcePathStyle: true,
    })
    try {
      return await run(client)
    } finally {
      client.destroy()
    }
  }

  async function statusOf(key: string): Promise<number> {
    const { bucket: Bucket } = bucket
    await withClient((client) => client.send(new PutObjectCommand({ Bucket, Key: key, Body: 'x' })))
    return (await fetch(`${bucket.endpoint}/${Bucket}/${key}`)).status
  }

  it('makes the bucket and lets anyone read what is public, and nothing else', async () => {
    expect(await admin(bucket, 'prepare')).to.deep.equal({
      code: 0,
      errors: '',
      output: `Bucket ${bucket.bucket} was made. Anyone may now read what is below public/.`,
    })
    expect(await statusOf('public/a.txt')).to.equal(200)
    expect(await statusOf('private/a.txt')).to.equal(403)
  })

  it('opens the prefix of the release alone', async () => {
    await admin({ ...bucket, prefix: 'media/' }, 'prepare')
    expect(await statusOf('media/public/a.txt')).to.equal(200)
    expect(await statusOf('public/a.txt')).to.equal(403)
  })

  it('changes nothing the second time', async () => {
    await admin(bucket, 'prepare')
    const { output } = await admin(bucket, 'prepare', '--json')
    const { bucket: name } = bucket
    expect(JSON.parse(output)).to.deep.equal({ bucket: name, created: false, published: false })
  })

  it('keeps the statements of others', async () => {
    await admin(bucket, 'prepare')
    const { bucket: Bucket } = bucket
    const Resource = [`arn:aws:s3:::${Bucket}/shared/*`]
    const theirs = { Sid: 'Theirs', Effect: 'Allow', Principal: '*', Action: ['s3:GetObject'] }
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [{ ...theirs, Resource }] })
    await withClient((client) => client.send(new PutBucketPolicyCommand({ Bucket, Policy })))
    await admin(bucket, 'prepare')
    const kept = await withClient((client) => client.send(new GetBucketPolicyCommand({ Bucket })))
    expect(kept.Policy).to.include('Theirs').and.include('CloudFfmpegPublic')
    expect(await statusOf('shared/a.txt')).to.equal(200)
    expect(await statusOf('public/a.txt')).to.equal(200)
  })

  it('says what is wrong with a key that the storage does not know', async () => {
    const credentials = { accessKeyId: 'unknown', secretAccessKey: 'none' }
    const { code, errors } = await admin({ ...bucket, credentials }, 'prepare')
    expect(code).to.equal(1)
    expect(errors).to.match(/^admin: the storage refuses: /)
  })
})
