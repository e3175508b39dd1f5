import { endpoint } from '../http/endpoint.ts'
import { notFound, refusal } from '../http/errors.ts'
import { knownId } from '../http/formats.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'

interface Deps {
  readonly store: Pick<Store, 'deleteFiles' | 'deleteCommandFiles'>
  readonly effects: Effects
}

/** `DELETE /v1/files/{file_id}`: in every state; the sweep deletes the objects. */
export function deleteFile({ store, effects }: Deps): Endpoint {
  return endpoint('deleteFile', async ({ path }, { key, fields }) => {
    const fileId = path.file_id.toLowerCase()
    fields['file_id'] = fileId
    const { accountId } = key.account
    const result = await effects.failpoint('files.deleted', () =>
      store.deleteFiles({ accountId, fileIds: [fileId], withoutManifests: false }),
    )
    if (result.kind !== 'deleted') throw notFound('File', fileId)
    return { status: 204, body: undefined }
  })
}

/** `DELETE /v1/commands/{command_id}/files`: everything that the command stored. */
export function deleteCommandFiles({ store, effects }: Deps): Endpoint {
  return endpoint('deleteCommandFiles', async ({ path }, { key, fields }) => {
    const commandId = knownId(path.command_id, 'Command files')
    fields['command_id'] = commandId
    const { accountId } = key.account
    const isDeleted = await effects.failpoint('files.deleted', () =>
      store.deleteCommandFiles(accountId, commandId),
    )
    if (!isDeleted) throw notFound('Command files', commandId)
    return { status: 204, body: undefined }
  })
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
