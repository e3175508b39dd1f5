import { Failure } from '../../../common/domain/failures.ts'

/**
 * S3 keys have at most 1,024 bytes of UTF-8
 * (https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html), 119 of which an attempt's prefix takes.
 */
const longestBytes = 800
/** S3 lists keys in XML 1.0, which has no way to write these; a backslash is a slash to some clients. */
const unstorable = /[\p{Cc}\\\ufffe\uffff]/u

/**
 * Why a file that FFmpeg named cannot be an object, as the rest of a sentence; null when it can.
 * @param path relative to the attempt's prefix, in Unicode
 */
export function storablePathProblem(path: string): string | null {
  if (Buffer.byteLength(path) > longestBytes) {
    return `is longer than the ${String(longestBytes)} bytes that a path in storage can have`
  }
  if (unstorable.test(path)) {
    return 'has a control character or a backslash in it, which no URL of storage can have'
  }
  return null
}

/** The command names its files; the service cannot rename them. */
export function badName(path: string, problem: string): Failure {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path
  return new Failure(
    'INVALID_COMMAND',
    `The command wrote a file whose name ${problem}: '${shown}'`,
  )
}
