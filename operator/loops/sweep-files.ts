import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import { ObjectStoreUnavailable } from '../../common/storage/object-store.ts'
import type { ObjectRemoval } from '../../common/storage/object-store.ts'
import { filePrefix, uploadKey } from '../../common/domain/storage-keys.ts'
import type { SweepableFile } from '../../common/store/files.ts'
import type { Store } from '../../common/store/store.ts'
import { effect } from '../apply/apply-context.ts'
import type { ControllerMetrics } from '../apply/controller-metrics.ts'
import type { Term } from '../machinery/election/leader.ts'

export interface FileSweepDeps {
  readonly store: Pick<
    Store,
    'expireUploads' | 'expireFiles' | 'findSweepableFiles' | 'markFilesSwept'
  >
  readonly storage: ObjectRemoval
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly metrics: Pick<ControllerMetrics, 'swept'>
  readonly logger: Logger
}

const perPage = 500

/**
 * Ends uploads and files whose time has passed, then removes the objects of deleted and failed
 * files from the object store. The rows list the work until it is recorded as done, and all of it
 * is idempotent: a crash at any point costs only the repetition.
 */
export async function sweepFiles(deps: FileSweepDeps, signal: AbortSignal): Promise<void> {
  const { store } = deps
  await untilFewer(signal, () =>
    effect(deps, 'sweep.uploads_expired', () => store.expireUploads(perPage)),
  )
  await untilFewer(signal, () =>
    effect(deps, 'sweep.files_expired', () => store.expireFiles(perPage)),
  )
  let after: string | null = null
  while (!signal.aborted) {
    const page: SweepableFile[] = await store.findSweepableFiles({ after, limit: perPage })
    await sweepPage(deps, page, signal)
    after = page.at(-1)?.fileId ?? null
    if (page.length < perPage) return
  }
}

async function untilFewer(signal: AbortSignal, change: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await change()) === perPage);
}

async function sweepPage(
  deps: FileSweepDeps,
  page: readonly SweepableFile[],
  signal: AbortSignal,
): Promise<void> {
  const single = page.filter((file) => file.storeType === 'OUTPUT' && !file.isManifest)
  await sweepSingleObjects(deps, single)
  for (const file of page.filter((each) => !single.includes(each))) {
    if (signal.aborted) return
    try {
      await sweepFolder(deps, file)
    } catch (error) {
      if (error instanceof ObjectStoreUnavailable || signal.aborted) throw error
      // A folder that the store fails to delete must not block all others.
      deps.logger.warn('a file could not be swept', { file_id: file.fileId, error })
    }
  }
}

/** A thousand outputs are one request. */
async function sweepSingleObjects(
  deps: FileSweepDeps,
  files: readonly SweepableFile[],
): Promise<void> {
  if (files.length === 0) return
  const keys = files.flatMap(({ key }) => key ?? [])
  await effect(deps, 'sweep.objects_deleted', () => deps.storage.deleteObjects(keys))
  await recordSwept(deps, files)
}

async function sweepFolder(deps: FileSweepDeps, file: SweepableFile): Promise<void> {
  const { storage } = deps
  const upload = uploadOf(file)
  // The parts first: an upload that is completed after this has no parts left, and one that was
  // completed before has an object, which is deleted next.
  if (upload !== null) {
    await effect(deps, 'sweep.uploads_aborted', () => storage.abortMultiparts(upload))
  }
  const prefix = prefixOf(file)
  await effect(deps, 'sweep.objects_deleted', () => storage.deletePrefix(prefix))
  await recordSwept(deps, [file])
}

async function recordSwept(deps: FileSweepDeps, files: readonly SweepableFile[]): Promise<void> {
  const fileIds = files.map(({ fileId }) => fileId)
  await effect(deps, 'sweep.recorded', () => deps.store.markFilesSwept(fileIds))
  for (const _file of files) deps.metrics.swept('file')
  deps.logger.info('swept files', { files: fileIds.length, first: fileIds[0] })
}

/** A playlist owns its folder, a stored file everything under its own id. */
function prefixOf({ key, isManifest, ...file }: SweepableFile): string {
  if (isManifest && key !== null) {
    const folder = key.slice(0, key.lastIndexOf('/') + 1)
    // Deleting the folder of its whole attempt would delete the command's other outputs.
    if (folder.split('/').length < 6) throw new Error(`${key} has no folder of its own`)
    return folder
  }
  const visibility = file.isPrivate ? 'private' : 'public'
  return filePrefix({ visibility, accountId: file.accountId, fileId: file.fileId })
}

/**
 * The key under which a client may have parts in the store; null for other files. By its key, not
 * by its id: an upload whose id was never recorded is found as well.
 */
function uploadOf(file: SweepableFile): string | null {
  const { storeType, originalFileUrl, accountId, fileId } = file
  // A name has no slash, a URL always has.
  if (storeType !== 'STORED_FILE' || originalFileUrl === null || originalFileUrl.includes('/')) {
    return null
  }
  const visibility = file.isPrivate ? 'private' : 'public'
  return uploadKey({ visibility, accountId, fileId, name: originalFileUrl })
}
