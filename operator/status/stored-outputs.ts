import type { OutputFile, Success } from '../../common/gateway/messages.ts'
import { attemptPrefix } from '../../common/domain/storage-keys.ts'
import type { Difference, ExpectedObject } from '../../common/storage/differing-objects.ts'
import type { Work } from '../../common/store/commands.ts'
import type { Outcome } from '../../common/store/attempts.ts'

type Stored = Pick<Success, 'files' | 'objects'>

/**
 * The objects that a result says to be in the bucket. A runner of an earlier release names none; then
 * they are those of outputs with one object, because the names of segments are not in the result.
 */
export function expectedObjects({ files, objects }: Stored): readonly ExpectedObject[] {
  if (objects !== undefined) return objects
  return files
    .filter(({ fileCount, compressedBytes }) => fileCount === null || compressedBytes !== null)
    .map((file) => ({ path: file.path, sizeBytes: storedBytes(file), etag: null }))
}

/**
 * Whether the objects of a result are its files: the sizes of the files are charged to the account,
 * and those of the objects are compared with the bucket.
 */
export function namesItsFiles({ files, objects }: Stored): boolean {
  if (objects === undefined) return true
  const paths = new Set(objects.map(({ path }) => path))
  if (paths.size !== objects.length || files.some(({ path }) => !paths.has(path))) return false
  const sum = (sizes: readonly number[]) => sizes.reduce((total, bytes) => total + bytes, 0)
  return sum(files.map(storedBytes)) === sum(objects.map(({ sizeBytes }) => sizeBytes))
}

/** The end of a command whose outputs are not in the bucket as they were stored. */
export function storageError({ path, problem }: Difference): Outcome {
  const errorMessage = `${path} is not in storage as it was stored: ${problem}`
  return { status: 'FAILED', errorStatus: 'STORAGE_ERROR', errorMessage }
}

/** Key prefix of an attempt's objects; null if it only probes an upload of a client. */
export function outputPrefix(work: OutputWork, attempt: string): string | null {
  const { accountId, commandId, isPrivate, source } = work
  if (source.storedFile !== undefined && 'upload' in source.storedFile) return null
  const visibility = isPrivate ? 'private' : 'public'
  return attemptPrefix({ visibility, accountId, commandId, attempt })
}

type OutputWork = Pick<Work, 'accountId' | 'commandId' | 'isPrivate' | 'source'>

function storedBytes({ compressedBytes, sizeBytes }: OutputFile): number {
  return compressedBytes ?? sizeBytes
}
