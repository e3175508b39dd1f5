import { CompleteMultipartUploadCommand, S3ServiceException } from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import { ObjectStoreUnavailable } from './object-store.ts'
import type { CompletedUpload, Completion, ObjectStore } from './object-store.ts'
import { isTransient } from './client.ts'

interface Bucket {
  readonly client: S3Client
  readonly Bucket: string
  readonly head: ObjectStore['head']
}

/**
 * The answer may be an error inside a 200, or get lost after the object was made; only the object
 * is proof. A repeated call no longer finds the upload, but the object.
 */
export async function completeMultipart(
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
