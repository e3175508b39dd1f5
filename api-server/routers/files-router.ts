import { Router } from 'express'
import { forgetAfter } from '../commands/read/command-records.ts'
import { unlessPaused } from '../limits/pause-watch.ts'
import { bulkDeleteFiles, deleteFile } from '../files/delete-calls.ts'
import { createDownloadUrl } from '../files/file-urls.ts'
import { getFilePlaylist } from '../files/get-playlist.ts'
import { listFiles } from '../files/list-files.ts'
import { getFile } from '../files/read-calls.ts'
import { storeFile } from '../files/store-file.ts'
import { abortUpload } from '../files/uploads/abort-upload.ts'
import { completeUpload } from '../files/uploads/complete-upload.ts'
import { initUpload } from '../files/uploads/init-upload.ts'
import type { AppDeps, Shared } from './app-deps.ts'
import type { Calls } from '../middleware/call.ts'

/** Files and uploads. */
export function filesRouter(
  { call, wrongMethod }: Calls,
  { effects, storage, limits: { plans, pauses } }: AppDeps,
  { records, queueRoom }: Shared,
): Router {
  const { store, objects, fileUrls, notify, atTurnEnd, uploadSessionSeconds } = storage
  const beginning = { store, objects, effects, plans, atTurnEnd, uploadSessionSeconds }
  const router = Router()
  router
    .route('/v1/files')
    .get(...call(listFiles({ store, fileUrls })))
    .all(wrongMethod)
  // The next three stand before the path with an id, which would match them too.
  router
    .route('/v1/files/store-file')
    .post(...call(unlessPaused(pauses, storeFile({ store, plans, queueRoom, effects, notify }))))
    .all(wrongMethod)
  router
    .route('/v1/files/init-upload')
    .post(...call(unlessPaused(pauses, initUpload(beginning))))
    .all(wrongMethod)
  router
    .route('/v1/files/bulk-delete')
    .post(...call(forgetAfter(records, bulkDeleteFiles({ store, effects }))))
    .all(wrongMethod)
  router
    .route('/v1/files/:file_id')
    .get(...call(getFile({ store, fileUrls, downloadUrl: createDownloadUrl(objects) })))
    .delete(...call(forgetAfter(records, deleteFile({ store, effects }))))
    .all(wrongMethod)
  router
    .route('/v1/files/:file_id/playlist')
    .get(...call(getFilePlaylist({ store, objects })))
    .all(wrongMethod)
  router
    .route('/v1/files/:file_id/complete-upload')
    .post(...call(completeUpload({ store, objects, effects, fileUrls, notify })))
    .all(wrongMethod)
  router
    .route('/v1/files/:file_id/abort-upload')
    .post(...call(abortUpload({ store, objects, effects, fileUrls })))
    .all(wrongMethod)
  return router
}
