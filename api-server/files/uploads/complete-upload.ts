import { DatabaseUnavailable } from '../../../common/store/health.ts'
import { endpoint } from '../../http/endpoint.ts'
import { refusal } from '../../http/errors.ts'
import { assembleUpload } from './assemble-upload.ts'
import { fileRecord } from '../file-record.ts'
import { knownId } from '../../http/formats.ts'
import { claimSeconds, notOpen, retryWhileCompleting } from './open-upload.ts'
import { uploadedParts } from './uploaded-parts.ts'
import type { CompletionClaim, StoredFile } from '../../../common/store/files.ts'
import type { Store } from '../../../common/store/store.ts'
import type { Context, Endpoint } from '../../http/endpoint.ts'
import type { AssembleUploadDeps } from './assemble-upload.ts'
import type { FileUrls } from '../file-urls.ts'
import type { UploadOf } from './open-upload.ts'
import type { UploadedPart } from './uploaded-parts.ts'

export interface CompleteUploadDeps extends AssembleUploadDeps {
  readonly store: Pick<
    Store,
    'claimCompletion' | 'releaseCompletion' | 'completeUpload' | 'findFile'
  >
  readonly fileUrls: FileUrls
  readonly notify: () => void
}

/** `POST /v1/files/{file_id}/complete-upload`: creates the file from the uploaded parts. */
export function completeUpload(deps: CompleteUploadDeps): Endpoint {
  const { store, effects, fileUrls, notify } = deps
  return endpoint('completeUpload', async ({ path, body }, context) => {
    const parts = uploadedParts(body)
    const upload = {
      accountId: context.key.account.accountId,
      fileId: knownId(path.file_id, 'File'),
    }
    context.fields['file_id'] = upload.fileId
    const claim = await retryWhileCompleting(deps, upload, () =>
      effects.failpoint('files.completion_claimed', () =>
        store.claimCompletion({ ...upload, claimSeconds }),
      ),
    )
    const file = await completeClaimed(deps, context, upload, claim, parts)
    notify()
    return { status: 200, body: fileRecord(file, await fileUrls([file], 0)) }
  })
}

async function completeClaimed(
  deps: CompleteUploadDeps,
  { log }: Context,
  upload: UploadOf,
  claim: CompletionClaim,
  parts: readonly UploadedPart[],
): Promise<StoredFile> {
  try {
    const problem = await assembleUpload(deps, claim, parts)
    if (problem !== null) throw refusal(400, problem)
    return (await commit(deps, upload)) ?? (await lost(deps, upload))
  } catch (error) {
    // The session stays open, and other calls need not wait until the claim expires.
    await deps.effects
      .failpoint('files.completion_released', () =>
        deps.store.releaseCompletion(upload.fileId, claim.claim),
      )
      .catch((reason: unknown) => {
        log.warn('claim not released', { file_id: upload.fileId, error: reason })
      })
    throw error
  }
}

/** If the reply to an earlier commit was lost, the file is complete already. */
async function commit(
  { store, effects }: CompleteUploadDeps,
  upload: UploadOf,
): Promise<StoredFile | null> {
  const commitOnce = () =>
    effects.failpoint('files.upload_completed', () => store.completeUpload(upload))
  try {
    return await commitOnce()
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    return (await commitOnce()) ?? completed(await store.findFile(upload.accountId, upload.fileId))
  }
}

function completed(file: StoredFile | null): StoredFile | null {
  const isUsable = file?.status === 'UPLOADED' || file?.status === 'STORED'
  return isUsable && file.deletedAt === null ? file : null
}

/** Another call aborted, deleted or completed it, or it expired; the sweep deletes the object. */
async function lost({ store, effects }: CompleteUploadDeps, upload: UploadOf): Promise<never> {
  const now = await effects.failpoint('files.completion_claimed', () =>
    store.claimCompletion({ ...upload, claimSeconds: 0 }),
  )
  throw await notOpen(
    store,
    upload,
    now.kind === 'claimed' ? { kind: 'ended', expired: false } : now,
  )
}
