import { BucketRefusal } from '../../../common/storage/bucket/bucket-cors.ts'
import { AdminError } from '../command/admin-command.ts'

const remedies: Readonly<Record<string, string>> = {
  AccessDenied:
    'give the access key s3:GetBucketCORS, s3:PutBucketCORS, s3:ListBucket and, for storage prepare, s3:CreateBucket, s3:GetBucketPolicy and s3:PutBucketPolicy, or do it as the owner of the bucket',
  NotImplemented:
    "this storage has no such setting of single buckets (MinIO's community edition has one CORS setting for all: MINIO_API_CORS_ALLOW_ORIGIN); 'storage cors --check' shows what it answers",
  NoSuchBucket: "make the bucket, as 'storage prepare' does, or correct the name in storage.bucket",
  BucketAlreadyExists: 'another owner has a bucket of this name: choose another in storage.bucket',
}

/** @throws AdminError with the remedy where the storage refuses a request */
export async function orExplain<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof BucketRefusal)) throw error
    const remedy = remedies[error.code]
    throw new AdminError(
      `the storage refuses: ${error.message}${remedy === undefined ? '' : `: ${remedy}`}`,
    )
  }
}
