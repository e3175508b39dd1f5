import {
  CreateBucketCommand,
  PutBucketPolicyCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { instanceOf, type Instance } from '../host/instance.ts'
import { endGroup, endProcess, logTail, runningProcess, startDetached } from '../host/processes.ts'
import type { ClusterSettings } from '../host/settings.ts'
import { joinSystemGroup } from '../host/system-group.ts'
import { exists } from '../tools/cached.ts'
import type { Say } from '../host/progress.ts'
import { versitygwCommand } from '../tools/versitygw.ts'
import { waitFor } from '../host/wait-for.ts'
import { writeFileWhole } from '../host/write-file-whole.ts'

/** An S3 server; buckets are addressed by path. */
export interface S3 {
  /** Pods and this machine both reach it. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The folder of its objects. */
  readonly folder: string
  /**
   * Makes a bucket unless it is there.
   *
   * @param options.publicPrefix keys that begin so are readable by everyone.
   */
  createBucket(name: string, options?: { readonly publicPrefix?: string }): Promise<void>
  stop(): Promise<void>
}

export interface S3Options {
  readonly instance: string
  /** Address at which pods find this machine; the server listens there and on 127.0.0.1. */
  readonly hostAddress: string
  readonly settings: ClusterSettings
  readonly say: Say
}

/** Starts the S3 server of an instance (versitygw over a folder), or finds the running one; its objects outlive restarts. */
export async function startS3(options: S3Options): Promise<S3> {
  const { hostAddress } = options
  const instance = instanceOf(options.instance)
  const layout = s3Layout(instance)
  const command = await versitygwCommand(options)
  await mkdir(layout.objects, { recursive: true, mode: 0o700 })
  const accessKeyId = 'cloud-ffmpeg'
  const secretAccessKey = await secretOf(layout.secret)
  const address = `${hostAddress}:${instance.s3Port}`
  if ((await runningProcess(layout, 'versitygw')) === undefined) {
    const addresses = [...new Set([hostAddress, '127.0.0.1'])]
    const started = await startDetached({
      name: 'versitygw',
      group: layout,
      command,
      args: [
        '-listen',
        addresses.map((each) => `${each}:${instance.s3Port}`).join(','),
        layout.objects,
      ],
      env: { ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
    })
    await joinSystemGroup(instance, started)
  }
  const endpoint = `http://${address}`
  await waitFor(() => answers(endpoint), {
    what: 'the S3 server to answer',
    explain: () => logTail(layout, 'versitygw'),
  })
  const region = 'us-east-1'
  return {
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    folder: layout.objects,
    async createBucket(name, { publicPrefix } = {}) {
      const credentials = { accessKeyId, secretAccessKey }
      const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
      try {
        await createBucket(client, name)
        if (publicPrefix !== undefined) await openPrefix(client, name, publicPrefix)
      } finally {
        client.destroy()
      }
    },
    stop: () => stopS3({ instance: options.instance }),
  }
}

/** Ends the server of an instance in any state; `remove` deletes its objects too. */
export async function stopS3({
  instance,
  remove = false,
}: {
  readonly instance: string
  readonly remove?: boolean
}): Promise<void> {
  const layout = s3Layout(instanceOf(instance))
  await endProcess(layout, 'versitygw', { signal: 'SIGTERM', graceMs: 5_000 })
  await endGroup(layout)
  if (remove) await rm(layout.folder, { recursive: true, force: true })
}

function s3Layout(instance: Instance) {
  const folder = path.join(instance.runFolder, 's3')
  return {
    folder,
    objects: path.join(folder, 'objects'),
    secret: path.join(folder, 'secret'),
  }
}

async function secretOf(file: string): Promise<string> {
  if (!(await exists(file))) {
    await writeFileWhole(file, randomBytes(18).toString('hex'), { mode: 0o600 })
  }
  return readFile(file, 'utf8')
}

/** Any HTTP answer will do: without a signature it is 403. */
async function answers(endpoint: string): Promise<boolean> {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(2_000) })
    return true
  } catch {
    return false
  }
}

async function createBucket(client: S3Client, name: string): Promise<void> {
  try {
    await client.send(new CreateBucketCommand({ Bucket: name }))
  } catch (error) {
    const known =
      error instanceof S3ServiceException &&
      ['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'].includes(error.name)
    if (!known) throw error
  }
}

async function openPrefix(client: S3Client, name: string, prefix: string): Promise<void> {
  const statement = {
    Effect: 'Allow',
    Principal: '*',
    Action: ['s3:GetObject'],
    Resource: [`arn:aws:s3:::${name}/${prefix}*`],
  }
  const policy = { Version: '2012-10-17', Statement: [statement] }
  await client.send(new PutBucketPolicyCommand({ Bucket: name, Policy: JSON.stringify(policy) }))
}
