import {
  CreateBucketCommand,
  GetBucketPolicyCommand,
  HeadBucketCommand,
  PutBucketPolicyCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { asking, clientFor } from '../client.ts'
import { BucketRefusal } from './bucket-cors.ts'
import type { ObjectStoreOptions } from '../object-store.ts'

/** Makes a bucket ready for the service. */
export interface BucketSetUp {
  /** @returns whether it was not there. @throws BucketRefusal, ObjectStoreUnavailable */
  create(): Promise<boolean>
  /**
   * Lets anyone read what is below `public/`; the policy's other statements stay.
   * @returns whether that was not allowed yet. @throws BucketRefusal, ObjectStoreUnavailable
   */
  publish(): Promise<boolean>
  close(): void
}

/** Marks the statement of this service among those of a bucket's policy. */
const statementId = 'CloudFfmpegPublic'

interface Policy {
  readonly Version: string
  readonly Statement: readonly { readonly Sid?: string }[]
}

export function createBucketSetUp(options: ObjectStoreOptions): BucketSetUp {
  const { bucket: Bucket, prefix = '' } = options
  const client = clientFor(options, options.endpoint)
  const statement = {
    Sid: statementId,
    Effect: 'Allow',
    Principal: '*',
    Action: ['s3:GetObject'],
    Resource: [`arn:aws:s3:::${Bucket}/${prefix}public/*`],
  }

  async function policy(): Promise<Policy> {
    const found = await asked(
      () => client.send(new GetBucketPolicyCommand({ Bucket })),
      ['NoSuchBucketPolicy'],
    )
    const text = found?.Policy ?? ''
    if (text === '') return { Version: '2012-10-17', Statement: [] }
    return JSON.parse(text) as Policy
  }

  return {
    async create() {
      const head = () => client.send(new HeadBucketCommand({ Bucket }))
      if ((await asked(head, ['NotFound', 'NoSuchBucket'])) !== null) return false
      await asked(() => client.send(new CreateBucketCommand({ Bucket })))
      return true
    },
    async publish() {
      const { Version, Statement } = await policy()
      const own = Statement.find(({ Sid }) => Sid === statementId)
      if (JSON.stringify(own) === JSON.stringify(statement)) return false
      const others = Statement.filter(({ Sid }) => Sid !== statementId)
      const Policy = JSON.stringify({ Version, Statement: [...others, statement] })
      await asked(() => client.send(new PutBucketPolicyCommand({ Bucket, Policy })))
      return true
    },
    close: () => client.destroy(),
  }
}

async function asked<T>(send: () => Promise<T>, absent: readonly string[] = []): Promise<T | null> {
  try {
    return await asking(send, absent)
  } catch (error) {
    throw error instanceof S3ServiceException ? new BucketRefusal(error) : error
  }
}
