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
  /** Lifetime of the session and its URLs. */
  readonly uploadSessionSeconds: number
}

/** Timeout of a session without a multipart upload, which counts against the quota until then. */
const beginSeconds = 600

/**
 * Inserts the rows, then begins the upload in the object store, then records its id in the session. A
 * crash after any of these leaves a session that expires, and the sweep finds the upload by its key.
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
  if (session?.uploadId !== uploadId) {
    await effects.failpoint('files.superseded_aborted', () => objects.abortMultipart(key, uploadId))
  }
  // The file was deleted during this call, by a client that saw it in the list.
  if (session === null) throw new Refusal(unavailable)
  return session
}

/** The upload of an earlier attempt of this request. Aborts one that was opened but not recorded. */
async function openedBefore(
  { store, objects, effects }: BeginUploadDeps,
  { fileId, key }: Upload,
): Promise<string | null> {
  const uploadId = await store.findUploadId(fileId)
  if (uploadId === null) {
    await effects.failpoint('files.unrecorded_aborted', () => objects.abortMultiparts(key))
  }
  return uploadId
}

function open({ objects, effects }: BeginUploadDeps, key: string): Promise<string> {
  return effects.failpoint('files.upload_created', () =>
    objects.createMultipart({ key, ...storedType(key) }),
  )
}
