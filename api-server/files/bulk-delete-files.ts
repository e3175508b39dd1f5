import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'

interface Deps {
  readonly store: Pick<Store, 'deleteFiles'>
  readonly effects: Effects
}

/** `POST /v1/files/bulk-delete`: all of them or none. */
export function bulkDeleteFiles({ store, effects }: Deps): Endpoint {
  return endpoint('bulkDeleteFiles', async ({ body }, { key }) => {
    const fileIds = [...new Set(body.file_ids.map((id) => id.toLowerCase()))]
    const { accountId } = key.account
    const result = await effects.failpoint('files.deleted', () =>
      store.deleteFiles({ accountId, fileIds, withoutManifests: true }),
    )
    switch (result.kind) {
      case 'deleted':
        return { status: 200, body: { deleted_file_ids: fileIds } }
      case 'missing':
        throw refusal(404, `Files not found: ${result.fileIds.join(', ')}`)
      case 'manifests': {
        const ids = result.fileIds.join(', ')
        throw refusal(400, `Output manifest files cannot be deleted in bulk: ${ids}`)
      }
    }
  })
}
