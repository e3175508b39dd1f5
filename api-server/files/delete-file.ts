import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'

interface Deps {
  readonly store: Pick<Store, 'deleteFiles'>
  readonly effects: Effects
}

/** `DELETE /v1/files/{file_id}`: in every state; the sweep takes the objects. */
export function deleteFile({ store, effects }: Deps): Endpoint {
  return endpoint('deleteFile', async ({ path }, { key, fields }) => {
    const fileId = path.file_id.toLowerCase()
    fields['file_id'] = fileId
    const { accountId } = key.account
    const result = await effects.failpoint('files.deleted', () =>
      store.deleteFiles({ accountId, fileIds: [fileId], withoutManifests: false }),
    )
    if (result.kind !== 'deleted') throw refusal(404, 'File not found')
    return { status: 204, body: undefined }
  })
}
