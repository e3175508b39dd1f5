import { Failure } from '../../../common/domain/failures.ts'
import { runAll } from '../runtime/run-all.ts'
import { createConnections } from './connections.ts'
import { openRegularFile } from '../runtime/regular-file.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { MultipartGrant, SingleGrant } from '../../../common/gateway/messages.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { StoredObjects } from './stored-objects.ts'
import type { PutRange } from './connections.ts'
import { storeParts, storeWhole } from './store-granted.ts'
import type { PutPart } from './store-granted.ts'

export interface UploadFile {
  /** Relative to the attempt's prefix in the store. */
  readonly path: string
  /** Absolute, on disk. */
  readonly source: string
  readonly sizeBytes: number
  /** Output that it belongs to, for sentences. */
  readonly alias: string
}

export interface UploadDependencies {
  readonly gateway: Pick<Gateway, 'uploads' | 'parts' | 'complete'>
  readonly effects: Effects
  readonly objects: StoredObjects
}

/** @throws Failure STORAGE_ERROR */
export type UploadFiles = (files: readonly UploadFile[], signal: AbortSignal) => Promise<void>

const grantsAtOnce = 100

/** Stores files by presigned URLs that the gateway gives for exactly these keys and sizes. */
export function createUploader(
  { gateway, effects, objects }: UploadDependencies,
  connections: PutRange = createConnections(effects),
): UploadFiles {
  return async (files, signal) => {
    // The batches follow each other: URLs are good for minutes only.
    for (let first = 0; first < files.length; first += grantsAtOnce) {
      await storeBatch(files.slice(first, first + grantsAtOnce), signal)
    }
  }

  async function storeBatch(batch: readonly UploadFile[], signal: AbortSignal): Promise<void> {
    const grants = await grantsFor(batch, signal)
    await runAll(
      signal,
      batch.map((file, index) => (stop) => {
        const grant = grants[index]
        if (grant === undefined) throw new Error(`no upload URL for ${file.path}`)
        return storeFile(file, grant, stop)
      }),
    )
  }

  async function grantsFor(batch: readonly UploadFile[], signal: AbortSignal) {
    const files = batch.map(({ path, sizeBytes }) => ({ path, sizeBytes }))
    return (await gateway.uploads({ files }, signal)).grants
  }

  async function storeFile(
    file: UploadFile,
    grant: SingleGrant | MultipartGrant,
    signal: AbortSignal,
  ): Promise<void> {
    const { alias, path, sizeBytes } = file
    const opened = openRegularFile(file.source)
    if (opened?.sizeBytes !== sizeBytes) {
      opened?.close()
      throw new Failure('STORAGE_ERROR', `${alias} changed while it was stored`)
    }
    const { fd } = opened
    const put: PutPart = async (job, stop) =>
      (await connections({ alias, fd, checked: false, ...job }, stop)).etag
    const renew = async () => (await grantsFor([file], signal))[0]
    try {
      const etag =
        grant.kind === 'single'
          ? await storeWhole({ path, sizeBytes, put, renew }, grant, signal)
          : await storeParts({ sizeBytes, put, gateway }, grant, signal)
      objects.set(path, { ...file, etag })
    } finally {
      opened.close()
    }
  }
}
