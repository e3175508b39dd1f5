// Test support: shares with the stories how the S3 server is found.
/* oxlint-disable eslint/no-restricted-imports, eslint/no-restricted-properties */
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clusterSettings } from '../e2e/cluster/settings.ts'
import { versitygwCommand } from '../e2e/cluster/tools/versitygw.ts'
import type { ObjectStoreOptions } from './object-store.ts'
import { systemClock } from './system-effects.ts'

const credentials = { accessKeyId: 'test', secretAccessKey: 'test-secret' }

// One server per test process, started by the first test that needs it.
let server: Promise<string> | undefined
let buckets = 0

/** A bucket of one's own on a real S3 server. The first call may have to build that server. */
export async function openTestBucket(): Promise<ObjectStoreOptions> {
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

/**
 * The shell ends the server and removes its files as soon as this process is gone, however it went:
 * its standard input is a pipe of ours.
 */
const untilWeEnd = `
  "$1" --port "$3" --iam-dir "$2/iam" --quiet posix "$2/objects" >"$2/log" 2>&1 </dev/null &
  cat >/dev/null
  kill $!
  wait
  rm -rf "$2"`

async function startServer(): Promise<string> {
  const settings = clusterSettings(process.env)
  const command = await versitygwCommand({ settings, say: () => undefined })
  const folder = await mkdtemp(path.join(tmpdir(), 'cloud-ffmpeg-s3-'))
  for (const name of ['iam', 'objects']) await mkdir(path.join(folder, name))
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn('sh', ['-c', untilWeEnd, 'sh', command, folder, address], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {
      ...process.env,
      ROOT_ACCESS_KEY: credentials.accessKeyId,
      ROOT_SECRET_KEY: credentials.secretAccessKey,
    },
  })
  child.unref()
  // The pipe is a socket: while it counts, the tests would never end.
  if (child.stdin instanceof Socket) child.stdin.unref()
  const endpoint = `http://${address}`
  await answering(endpoint)
  return endpoint
}

async function answering(endpoint: string): Promise<void> {
  const deadline = systemClock.monotonicMs() + 15_000
  for (;;) {
    try {
      await fetch(endpoint)
      return
    } catch (error) {
      if (systemClock.monotonicMs() > deadline) throw error
      await new Promise<void>((resolve) => {
        systemClock.schedule(50, resolve)
      })
    }
  }
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  listener.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
