import {
  GetBucketCorsCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { ObjectStoreUnavailable } from '../object-store.ts'
import { clientFor } from '../client.ts'
import type { CORSRule as CorsRule } from '@aws-sdk/client-s3'
import type { ObjectStoreOptions } from '../object-store.ts'

export type { CorsRule }

/** CORS rules of a bucket for web pages of other origins. */
export interface BucketCors {
  /** The order is that in which S3 tries them: the first rule that matches a request answers it. */
  rules(): Promise<CorsRule[]>
  /** Replaces all rules. */
  replace(rules: readonly CorsRule[]): Promise<void>
  /**
   * Address of an upload as users get it. The upload does not exist; a preflight does not check
   * that.
   */
  partUrl(): Promise<string>
  /** Key of some object below this prefix; null if there is none. */
  anyKey(prefix: string): Promise<string | null>
  close(): void
}

/** The storage answered with an error: its code, such as `AccessDenied` or `NotImplemented`. */
export class BucketRefusal extends Error {
  readonly code: string

  constructor(cause: S3ServiceException) {
    super(`${cause.name}: ${cause.message.replace(/\.$/, '')}`, { cause })
    this.name = 'BucketRefusal'
    this.code = cause.name
  }
}

export function createBucketCors(options: ObjectStoreOptions): BucketCors {
  const { bucket: Bucket, prefix = '' } = options
  const internal = clientFor(options, options.endpoint)
  const forUsers = clientFor(options, options.publicEndpoint ?? options.endpoint)
  return {
    async rules() {
      try {
        const { CORSRules } = await ask(() => internal.send(new GetBucketCorsCommand({ Bucket })))
        return CORSRules ?? []
      } catch (error) {
        if (error instanceof BucketRefusal && error.code === 'NoSuchCORSConfiguration') return []
        throw error
      }
    },
    async replace(rules) {
      const CORSConfiguration = { CORSRules: [...rules] }
      await ask(() => internal.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration })))
    },
    partUrl: () =>
      getSignedUrl(
        forUsers,
        new UploadPartCommand({ Bucket, Key: 'private/none', UploadId: 'none', PartNumber: 1 }),
        { expiresIn: 60 },
      ),
    async anyKey(below) {
      const list = new ListObjectsV2Command({ Bucket, Prefix: prefix + below, MaxKeys: 1 })
      const found = (await ask(() => internal.send(list))).Contents?.[0]?.Key
      return found === undefined ? null : found.slice(prefix.length)
    },
    close() {
      internal.destroy()
      forUsers.destroy()
    },
  }
}

async function ask<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof S3ServiceException) throw new BucketRefusal(error)
    throw new ObjectStoreUnavailable(error)
  }
}
