import type { Effects } from '../../../common/runtime/effects.ts'
import { createEachItem } from '../../../common/runtime/each-item.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import type { ObjectRemoval } from '../../../common/storage/object-store.ts'
import { filePrefix, uploadKey } from '../../../common/domain/storage-keys.ts'
import type { SweepableFile } from '../../../common/store/files.ts'
import type { Store } from '../../../common/store/store.ts'
import { effect } from '../../apply/apply-context.ts'
import type { SweepMetrics } from './sweep-metrics.ts'
import type { Term } from '../../machinery/election/leader.ts'
import { drain, reportingBacklog } from '../drain.ts'
import type { DrainSteps, SweepPass } from '../drain.ts'
import { isStoreOutage } from '../outage.ts'

export interface FileSweepDeps {
  readonly store: Pick<
    Store,
    | 'expireUploads'
    | 'expireFiles'
    | 'findSweepableFiles'
    | 'markFilesSwept'
    | 'postponeFileSweeps'
    | 'fileSweepBacklog'
  >
  readonly storage: ObjectRemoval
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly metrics: SweepMetrics
  readonly logger: Logger
}

/** Files that one request deletes, or one folder. */
type Unit = readonly SweepableFile[]

const pageSize = 200

/**
 * Ends uploads and files whose time has passed, then removes the objects of deleted and failed
 * files from the object store. The rows list the work until it is recorded as done, and all of it
 * is idempotent: a crash at any point costs only the repetition.
 */
export function createFileSweep(deps: FileSweepDeps): SweepPass {
  const { store, metrics } = deps
  const { clock } = deps.effects
  const eachItem = createEachItem({ name: 'sweep of files', clock, logger: deps.logger })
  let found = 0
  const steps: DrainSteps<Unit> = {
    async find() {
      const files = await store.findSweepableFiles({ limit: pageSize })
      found = files.length
      const single = files.filter(isSingleObject)
      const folders = files.filter((file) => !isSingleObject(file)).map((file) => [file])
      return single.length === 0 ? folders : [single, ...folders]
    },
    isLast: () => found < pageSize,
    sweep: (files) =>
      files.every(isSingleObject) ? sweepSingleObjects(deps, files) : sweepFolder(deps, files),
    postpone: (files) => postpone(deps, files),
    describe: (files) => ({ files: files.length, first: files[0]?.fileId }),
    accountsOf: (files) => files.map(({ accountId }) => accountId),
    isOutage: isStoreOutage,
  }
  return reportingBacklog(
    async (signal) => {
      await untilFewer(signal, () =>
        effect(deps, 'sweep.uploads_expired', () => store.expireUploads(expiredAtOnce)),
      )
      await untilFewer(signal, () =>
        effect(deps, 'sweep.files_expired', () => store.expireFiles(expiredAtOnce)),
      )
      return drain({ clock, eachItem }, steps, signal)
    },
    () => store.fileSweepBacklog(),
    (backlog) => metrics.sweepBacklog('file', backlog),
  )
}

const expiredAtOnce = 500

async function untilFewer(signal: AbortSignal, change: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await change()) === expiredAtOnce);
}

function isSingleObject({ storeType, isManifest }: SweepableFile): boolean {
  return storeType === 'OUTPUT' && !isManifest
}

/** One request for all; those that the store does not delete are postponed here, one by one. */
async function sweepSingleObjects(deps: FileSweepDeps, files: Unit): Promise<void> {
  const keys = files.flatMap(({ key }) => key ?? [])
  const refused = await effect(deps, 'sweep.objects_deleted', () =>
    deps.storage.deleteObjects(keys),
  )
  const isRefused = ({ key }: SweepableFile): boolean => key !== null && refused.has(key)
  const deleted = files.filter((file) => !isRefused(file))
  if (deleted.length > 0) await recordSwept(deps, deleted)
  if (refused.size === 0) return
  const left = files.filter(isRefused)
  const [error] = refused.values()
  deps.logger.warn('files could not be swept', { files: left.length, error })
  await postpone(deps, left)
}

async function postpone(deps: FileSweepDeps, files: Unit): Promise<void> {
  const fileIds = files.map(({ fileId }) => fileId)
  await effect(deps, 'sweep.postponed', () => deps.store.postponeFileSweeps(fileIds))
}

async function sweepFolder(deps: FileSweepDeps, files: Unit): Promise<void> {
  const [file] = files
  if (file === undefined) return
  const { storage } = deps
  const upload = uploadOf(file)
  // The parts first: an upload that is completed after this has no parts left, and one that was
  // completed before has an object, which is deleted next.
  if (upload !== null) {
    await effect(deps, 'sweep.uploads_aborted', () => storage.abortMultiparts(upload))
  }
  const prefix = prefixOf(file)
  await effect(deps, 'sweep.objects_deleted', () => storage.deletePrefix(prefix))
  await recordSwept(deps, files)
}

async function recordSwept(deps: FileSweepDeps, files: Unit): Promise<void> {
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
  // The retention has deleted the name, which the key still has.
  if (storeType === 'STORED_FILE' && originalFileUrl === null) return file.key
  // A name has no slash, a URL always has.
  if (storeType !== 'STORED_FILE' || originalFileUrl === null || originalFileUrl.includes('/')) {
    return null
  }
  const visibility = file.isPrivate ? 'private' : 'public'
  return uploadKey({ visibility, accountId, fileId, name: originalFileUrl })
}
