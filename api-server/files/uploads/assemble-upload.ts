import { partsProblem } from './uploaded-parts.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { ClientUploads } from '../../../common/storage/object-store.ts'
import type { UploadSession } from '../../../common/store/files.ts'
import type { UploadedPart } from './uploaded-parts.ts'

export interface AssembleUploadDeps {
  readonly objects: Pick<ClientUploads, 'listParts' | 'completeMultipart' | 'head'>
  readonly effects: Effects
}

/**
 * Completes the multipart upload. If an earlier call crashed after that and before its commit, the
 * upload is gone but the object exists, and this call finds it. @returns what is wrong, or null
 */
export async function assembleUpload(
  { objects, effects }: AssembleUploadDeps,
  { key, uploadId, sizeBytes }: UploadSession,
  parts: readonly UploadedPart[],
): Promise<string | null> {
  const stored = await objects.listParts(key, uploadId)
  if (stored === null) {
    const object = await objects.head(key)
    return object?.sizeBytes === sizeBytes ? null : 'The upload is not in storage any more'
  }
  const problem = partsProblem(parts, stored, sizeBytes)
  if (problem !== null) return problem
  const quoted = parts.map(({ partNumber, etag }) => ({ partNumber, etag: `"${etag}"` }))
  const completion = await effects.failpoint('files.upload_assembled', () =>
    objects.completeMultipart({ key, uploadId, sizeBytes, parts: quoted }),
  )
  return completion.kind === 'completed'
    ? null
    : `The parts could not be joined: ${completion.reason}`
}
