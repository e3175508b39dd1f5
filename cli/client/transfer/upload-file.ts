import { stat } from 'node:fs/promises'
import path from 'node:path'
import { putPart } from './put-part.ts'
import { uploadParts } from '../upload/upload-parts.ts'
import { systemClock } from '../../../common/runtime/system-effects.ts'
import type { FileRecord } from '../../../common/openapi/openapi-types.ts'
import type { FileFacts } from '../upload/journal.ts'
import type { PartUpload } from '../upload/upload-parts.ts'

export interface Upload extends Omit<
  PartUpload,
  'name' | 'facts' | 'put' | 'partSize' | 'clock' | 'onRetry'
> {
  /** Path of the local file. */
  readonly file: string
  readonly clock?: PartUpload['clock']
}

/**
 * Uploads a local file directly to the object store, streaming each part from disk, so that memory
 * use does not depend on its size.
 * @returns the record, in state UPLOADED: its URL can be an input already
 */
export function uploadFile({ file, clock = systemClock, ...upload }: Upload): Promise<FileRecord> {
  return uploadParts({
    ...upload,
    clock,
    name: path.basename(file),
    facts: () => factsOf(file),
    put: (range, progress) => putPart({ ...range, file }, progress),
  })
}

async function factsOf(file: string): Promise<FileFacts> {
  const found = await stat(file)
  if (!found.isFile()) throw new Error(`${file} is not a regular file`)
  if (found.size === 0) throw new Error(`${file} is empty`)
  return { sizeBytes: found.size, modifiedMs: found.mtimeMs }
}
