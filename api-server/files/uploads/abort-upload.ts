import { endpoint } from '../../http/endpoint.ts'
import { fileRecord } from '../file-record.ts'
import { knownId } from '../../http/formats.ts'
import { retryWhileCompleting } from './open-upload.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { ClientUploads } from '../../../common/storage/object-store.ts'
import type { AbortedUpload } from '../../../common/store/files.ts'
import type { Store } from '../../../common/store/store.ts'
import type { Context, Endpoint } from '../../http/endpoint.ts'
import type { FileUrls } from '../file-urls.ts'

interface Deps {
  readonly store: Pick<Store, 'abortUpload' | 'findFile'>
  readonly objects: Pick<ClientUploads, 'abortMultipart'>
  readonly effects: Effects
  readonly fileUrls: FileUrls
}

/** `POST /v1/files/{file_id}/abort-upload`: sets the file to FAILED and discards its parts. */
export function abortUpload(deps: Deps): Endpoint {
  const { store, effects, fileUrls } = deps
  return endpoint('abortUpload', async ({ path }, context) => {
    const { accountId } = context.key.account
    const fileId = knownId(path.file_id, 'File')
    context.fields['file_id'] = fileId
    const aborted = await retryWhileCompleting(deps, { accountId, fileId }, () =>
      effects.failpoint('files.upload_aborted', () => store.abortUpload({ accountId, fileId })),
    )
    await discardParts(deps, context, aborted)
    return { status: 200, body: fileRecord(aborted.file, await fileUrls([aborted.file], 0)) }
  })
}

/** Best-effort: the upload has ended already, and the sweep deletes what is left. */
async function discardParts(
  { objects, effects }: Deps,
  { log }: Context,
  { file, key, uploadId }: AbortedUpload,
): Promise<void> {
  try {
    await effects.failpoint('files.parts_discarded', () => objects.abortMultipart(key, uploadId))
  } catch (error) {
    log.warn('multipart upload not aborted; left to the sweep', { file_id: file.fileId, error })
  }
}
