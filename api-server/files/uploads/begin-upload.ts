import { retryLostCommit } from '../../../common/store/health.ts'
import { storedType } from '../../../common/domain/stored-type.ts'
import { Refusal, unavailable } from '../../http/errors.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { ClientUploads } from '../../../common/storage/object-store.ts'
import type { NewUpload, UploadSession } from '../../../common/store/files.ts'
import type { Store } from '../../../common/store/store.ts'

export type Upload = Omit<NewUpload, 'beginSeconds'>

export interface BeginUploadDeps {
  readonly store: Pick<Store, 'openUpload' | 'findUploadId' | 'recordUploadId'>
  readonly objects: Pick<ClientUploads, 'createMultipart' | 'abortMultipart' | 'abortMultiparts'>
  readonly effects: Effects
  /** From the beginning until URLs and session end. */
  readonly uploadSessionSeconds: number
}

/** A session that was not begun this soon never will be; until then it takes part of the quota. */
const beginSeconds = 600

/**
 * The rows first, then the upload in the object store, then its id into the session. A crash after
 * any of these leaves a session that ends by itself, and the sweep finds the upload by its key.
 */
export async function beginUpload(deps: BeginUploadDeps, upload: Upload): Promise<UploadSession> {
  const { store, objects, effects, uploadSessionSeconds: sessionSeconds } = deps
  const { fileId, key } = upload
  const { repeated } = await retryLostCommit(effects, 'files.row_committed', () =>
    store.openUpload({ ...upload, beginSeconds }),
  )
  const uploadId = (repeated ? await openedBefore(deps, upload) : null) ?? (await open(deps, key))
  const session = await retryLostCommit(effects, 'files.upload_recorded', () =>
    store.recordUploadId({ fileId, uploadId, sessionSeconds }),
  )
  if (session?.uploadId !== uploadId) await objects.abortMultipart(key, uploadId)
  // The file was deleted during this call, by a client that saw it in the list.
  if (session === null) throw new Refusal(unavailable)
  return session
}

/** By an earlier try of the same request. What it opened and did not write down is discarded. */
async function openedBefore(
  { store, objects }: BeginUploadDeps,
  { fileId, key }: Upload,
): Promise<string | null> {
  const uploadId = await store.findUploadId(fileId)
  if (uploadId === null) await objects.abortMultiparts(key)
  return uploadId
}

function open({ objects, effects }: BeginUploadDeps, key: string): Promise<string> {
  return effects.failpoint('files.upload_created', () =>
    objects.createMultipart({ key, ...storedType(key) }),
  )
}
