import { createServer } from 'node:http'
import { listenAt } from '../../../testing/support/http-server.ts'
import { PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3'
import { expect } from 'chai'
import { createBucketCors } from '../../../common/storage/bucket/bucket-cors.ts'
import { createObjectStore } from '../../../common/storage/create-object-store.ts'
import { openTestBucket } from '../../../testing/support/object-store.ts'
import type { TestBucket } from '../../../testing/support/object-store.ts'
import { field } from '../../checked-call.fixture.ts'
import { useStorageAdmin } from './storage-admin.fixture.ts'
import { ruleFor } from './cors-rules.ts'
import type { ObjectStoreOptions } from '../../../common/storage/object-store.ts'

describe('admin storage cors', function () {
  // The first use on a machine builds the S3 server.
  this.timeout(600_000)
  const runStorage = useStorageAdmin()
  const admin = (options: ObjectStoreOptions, ...args: string[]) =>
    runStorage(options, 'cors', ...args)
  let bucket: TestBucket
  beforeEach(async () => {
    bucket = await openTestBucket()
  })

  async function rulesOf(options: ObjectStoreOptions) {
    const cors = createBucketCors(options)
    const rules = await cors.rules()
    cors.close()
    return rules
  }

  /** Everything below `public/` is readable, as the chart's README says. */
  async function publish(options: TestBucket): Promise<void> {
    const store = createObjectStore(options)
    const object = { key: 'public/a/b c.txt', contentType: 'text/plain', attachment: false }
    await store.putBytes({ ...object, bytes: Buffer.from('x') })
    store.close()
    const { endpoint, region, credentials } = options
    const client = new S3Client({
      endpoint: endpoint ?? '',
      region,
      credentials,
      forcePathStyle: true,
    })
    const Resource = `arn:aws:s3:::${options.bucket}/public/*`
    const statement = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource }
    await client.send(
      new PutBucketPolicyCommand({
        Bucket: options.bucket,
        Policy: JSON.stringify({ Version: '2012-10-17', Statement: [statement] }),
      }),
    )
    client.destroy()
  }

  it('reports what is missing, writes one rule, and then finds nothing missing', async () => {
    await publish(bucket)
    const before = await admin(bucket, '--check')
    expect(before.code).to.equal(1)
    expect(before.output)
      .to.match(/^upload +https:\/\/any\.example +Access-Control-Allow-Origin is missing/m)
      .and.match(/^read +https:\/\/any\.example +Access-Control-Allow-Origin is missing/m)
      .and.match(/'storage cors' without --check writes a rule/)
    const applied = await admin(bucket)
    expect(applied).to.deep.include({ code: 0, errors: '' })
    expect(await rulesOf(bucket)).to.deep.equal([ruleFor(['*'])])
    const after = await admin(bucket, '--check', '--json')
    expect(after.code, after.output).to.equal(0)
    const checks = field(JSON.parse(after.output), 'checks')
    expect(checks).to.have.length(2)
    expect(JSON.stringify(checks)).not.to.contain('X-Amz-Signature')
  })

  it('allows the named origins alone, and keeps the rules of others', async () => {
    const theirs = { ID: 'theirs', AllowedOrigins: ['https://a.example'], AllowedMethods: ['GET'] }
    const cors = createBucketCors(bucket)
    await cors.replace([theirs])
    cors.close()
    const origins = ['https://app.example', 'https://*.example.org']
    const args = origins.flatMap((origin) => ['--origin', origin])
    await admin(bucket)
    const { output } = await admin(bucket, ...args)
    expect(output).to.contain('https://app.example, https://*.example.org')
    expect(output).to.contain('Its other rules (1) are as they were.')
    const rules = await rulesOf(bucket)
    expect(rules.map(({ ID }) => ID)).to.deep.equal(['theirs', 'cloud-ffmpeg'])
    expect(rules[1]?.AllowedOrigins).to.deep.equal(origins)
    expect((await admin(bucket, '--check', ...args)).code).to.equal(0)
    const evil = await admin(bucket, '--check', '--origin', 'https://evil.example')
    expect(evil.code).to.equal(1)
  })

  it('the check leaves reading out while the bucket has no public object', async () => {
    await admin(bucket)
    const { code, output } = await admin(bucket, '--check')
    expect(code, output).to.equal(0)
    expect(output).to.match(/'read' is not checked: the bucket has no public object yet/)
  })

  it('refuses what is not an origin and names the remedy', async () => {
    const { code, errors } = await admin(bucket, '--origin', 'https://app.example/console')
    expect(code).to.equal(1)
    expect(errors).to.equal(
      "admin: --origin 'https://app.example/console' is not an origin: write https://app.example",
    )
    expect((await admin(bucket, '--origin', '')).code).to.equal(2)
  })

  it('reports an object store that does not support CORS rules', async () => {
    const server = createServer((_request, response) => {
      const error = '<Error><Code>NotImplemented</Code><Message>no</Message></Error>'
      response.writeHead(501, { 'content-type': 'application/xml' }).end(error)
    })
    const { url, close } = await listenAt('127.0.0.1', server)
    const { code, errors } = await admin({ ...bucket, endpoint: url })
    expect(code).to.equal(1)
    expect(errors).to.match(/NotImplemented.*MINIO_API_CORS_ALLOW_ORIGIN/)
    await close()
  })

  it('reports an object store that does not answer', async () => {
    const { code, errors } = await admin({ ...bucket, endpoint: 'http://127.0.0.1:1' })
    expect(code).to.equal(1)
    expect(errors).to.match(/^admin: the object store is unavailable: .*ECONNREFUSED/)
  })
})
