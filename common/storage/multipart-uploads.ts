import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import { ObjectStoreUnavailable } from './object-store.ts'
import type { CompletedUpload, Completion, ObjectStore, S3, StoredObject } from './object-store.ts'
import { asking, isTransient, unquoted } from './client.ts'
import { storedHeaders } from './stored-headers.ts'

interface Bucket {
  readonly client: S3Client
  readonly Bucket: string
  readonly head: ObjectStore['head']
  readonly prefix: string
}

/** Uploads in parts, which the store keeps until they are completed or aborted. */
export function multipartUploads(
  bucket: Bucket,
): Pick<
  S3,
  | 'createMultipart'
  | 'completeMultipart'
  | 'abortMultipart'
  | 'abortMultiparts'
  | 'abortMultipartsOf'
  | 'listParts'
> {
  const { client, Bucket, prefix } = bucket
  const abortMultipart = async (key: string, uploadId: string) => {
    const command = new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId: uploadId })
    await asking(() => client.send(command), ['NoSuchUpload', 'NoSuchKey', 'NotFound'])
  }
  const abortListed = async (prefix: string, isMeant: (key: string) => boolean) => {
    for (;;) {
      // Always the first page: what was on it is gone by the next pass. The shortest key is the first.
      const list = new ListMultipartUploadsCommand({ Bucket, Prefix: prefix })
      const page = await asking(() => client.send(list))
      const uploads = (page?.Uploads ?? []).filter(({ Key = '' }) => isMeant(Key))
      for (const { Key = '', UploadId = '' } of uploads) await abortMultipart(Key, UploadId)
      if (uploads.length === 0) return
    }
  }

  return {
    async createMultipart(object) {
      const command = new CreateMultipartUploadCommand({
        Bucket,
        Key: object.key,
        ...storedHeaders(object, prefix),
      })
      const answer = await asking(() => client.send(command))
      if (answer?.UploadId === undefined) throw new Error('no UploadId in the answer')
      return answer.UploadId
    },

    completeMultipart: (upload) => completeMultipart(bucket, upload),

    abortMultipart,

    abortMultiparts: (prefix) => abortListed(prefix, () => true),
    abortMultipartsOf: (key) => abortListed(key, (other) => other === key),

    async listParts(Key, UploadId) {
      const parts = new Map<number, StoredObject>()
      let after: string | undefined
      do {
        const list = new ListPartsCommand({ Bucket, Key, UploadId, PartNumberMarker: after })
        const page = await asking(() => client.send(list), ['NoSuchUpload', 'NoSuchKey'])
        if (page === null) return null
        for (const { PartNumber = 0, ETag = '', Size = 0 } of page.Parts ?? []) {
          parts.set(PartNumber, { etag: unquoted(ETag), sizeBytes: Size })
        }
        after = page.IsTruncated === true ? page.NextPartNumberMarker : undefined
      } while (after !== undefined)
      return parts
    },
  }
}

/**
 * The answer may be an error inside a 200, or get lost after the object was made; only the object
 * is proof. A repeated call no longer finds the upload, but the object.
 */
async function completeMultipart(
  { client, Bucket, head }: Bucket,
  { key, uploadId, sizeBytes, parts }: CompletedUpload,
): Promise<Completion> {
  const command = new CompleteMultipartUploadCommand({
    Bucket,
    Key: key,
    UploadId: uploadId,
    MultipartUpload: {
      Parts: parts
        .toSorted((a, b) => a.partNumber - b.partNumber)
        .map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag })),
    },
  })
  const error: unknown = await client.send(command).then(
    () => null,
    (reason: unknown) => reason,
  )
  const stored = await head(key)
  if (stored?.sizeBytes === sizeBytes) return { kind: 'completed', etag: stored.etag }
  if (stored !== null) {
    return { kind: 'refused', reason: `stored ${stored.sizeBytes} of ${sizeBytes} bytes` }
  }
  if (error instanceof S3ServiceException && !isTransient(error)) {
    return { kind: 'refused', reason: error.name }
  }
  throw new ObjectStoreUnavailable(error)
}
