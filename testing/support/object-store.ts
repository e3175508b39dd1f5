// Test support: shares with the stories how the S3 server is found.
/* oxlint-disable eslint/no-restricted-properties */
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { versitygwCommand } from '../../local-cluster/tools/versitygw.ts'
import type { AccessKey, ObjectStoreOptions } from '../../common/storage/object-store.ts'
import { freePort, startTestServer } from './http-server.ts'

const credentials = { accessKeyId: 'test', secretAccessKey: 'test-secret' }

// One server per test process, started by the first test that needs it.
let server: Promise<string> | undefined
let buckets = 0

/** The credentials are a key. */
export type TestBucket = ObjectStoreOptions & { readonly credentials: AccessKey }

/** A bucket of one's own on a real S3 server. The first call may have to build that server. */
export async function openTestBucket(): Promise<TestBucket> {
  server ??= startServer()
  const endpoint = await server
  buckets += 1
  const bucket = `test-${buckets}`
  const region = 'us-east-1'
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  return { bucket, region, endpoint, publicEndpoint: null, pathStyle: true, credentials }
}

async function startServer(): Promise<string> {
  const settings = clusterSettings(process.env)
  const command = await versitygwCommand({ settings, say: () => undefined })
  const folder = await mkdtemp(path.join(tmpdir(), 'cloud-ffmpeg-s3-'))
  const objects = path.join(folder, 'objects')
  await mkdir(objects)
  const address = `127.0.0.1:${await freePort()}`
  await startTestServer({
    command,
    args: ['--listen', address, objects],
    folder,
    env: {
      ...process.env,
      ROOT_ACCESS_KEY: credentials.accessKeyId,
      ROOT_SECRET_KEY: credentials.secretAccessKey,
    },
    check: () => fetch(`http://${address}`),
  })
  return `http://${address}`
}
