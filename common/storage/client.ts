import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { ObjectStoreUnavailable } from './object-store.ts'
import type { ObjectStoreOptions } from './object-store.ts'

export function clientFor(
  options: ObjectStoreOptions,
  endpoint: string | null,
  credentials = options.credentials,
): S3Client {
  return new S3Client({
    region: options.region,
    ...(credentials === null ? {} : { credentials }),
    forcePathStyle: options.pathStyle,
    ...(endpoint === null ? {} : { endpoint }),
    // The default for a presigned PUT demands the CRC32 of the empty body that it was signed with.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 15_000 },
  })
}

/** @param absent error names that mean "it is not there", answered with null */
export async function asking<T>(
  send: () => Promise<T>,
  absent: readonly string[] = [],
): Promise<T | null> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof S3ServiceException && absent.includes(error.name)) return null
    throw isTransient(error) ? new ObjectStoreUnavailable(error) : error
  }
}

/** The name counts too: completing an upload answers 200 before it knows whether it will succeed. */
const passing: ReadonlySet<string> = new Set(['SlowDown', 'InternalError', 'ServiceUnavailable'])

/** @param code of an error that an answer holds for a part of the request */
export function isPassing(code: string): boolean {
  return passing.has(code)
}

/** No answer at all, or one that says that the store, not the request, is at fault. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return true
  const status = error.$metadata.httpStatusCode ?? 0
  return status >= 500 || status === 429 || status === 408 || isPassing(error.name)
}
