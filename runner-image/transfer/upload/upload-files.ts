import { Failure } from '../../../common/domain/failures.ts'
import { runAll } from '../runtime/run-all.ts'
import { createConnections } from './connections.ts'
import { createPartUrls } from './part-urls.ts'
import { openRegularFile } from '../runtime/regular-file.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { MultipartGrant, SingleGrant } from '../../../common/gateway/messages.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { StoredObjects } from './stored-objects.ts'
import type { PutRange } from './connections.ts'
import type { PutJob } from './put-with-retries.ts'

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
    const { alias, sizeBytes } = file
    const opened = openRegularFile(file.source)
    if (opened?.sizeBytes !== sizeBytes) {
      opened?.close()
      throw new Failure('STORAGE_ERROR', `${alias} changed while it was stored`)
    }
    const put: PutPart = async (job, stop) => {
      const { fd } = opened
      return (await connections({ alias, fd, checked: false, ...job }, stop)).etag
    }
    try {
      const etag =
        grant.kind === 'single'
          ? await storeWhole(file, grant, put, signal)
          : await storeParts(file, grant, put, signal)
      objects.set(file.path, { ...file, etag })
    } finally {
      opened.close()
    }
  }

  async function storeWhole(
    file: UploadFile,
    granted: SingleGrant,
    put: PutPart,
    signal: AbortSignal,
  ): Promise<string> {
    const grant = async (fresh: boolean) => {
      const found = fresh ? (await grantsFor([file], signal))[0] : granted
      if (found?.kind !== 'single') throw new Error(`no single upload URL for ${file.path}`)
      return found
    }
    const etag = await put({ start: 0, bytes: file.sizeBytes, grant }, signal)
    return etag.replaceAll('"', '')
  }

  async function storeParts(
    { sizeBytes }: UploadFile,
    upload: MultipartGrant,
    put: PutPart,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { path, uploadId, partBytes } = upload
    const count = Math.ceil(sizeBytes / partBytes)
    const urlOf = createPartUrls(gateway, upload, () => ({ count, sizeBytes }))
    const parts = await runAll(
      signal,
      Array.from({ length: count }, (_, index) => async (stop: AbortSignal) => {
        const start = index * partBytes
        const bytes = Math.min(partBytes, sizeBytes - start)
        const grant = (fresh: boolean) => urlOf(index + 1, fresh, signal)
        return { partNumber: index + 1, etag: await put({ start, bytes, grant }, stop) }
      }),
    )
    return gateway.complete({ path, uploadId, sizeBytes, parts }, signal)
  }
}

type PutPart = (
  job: Pick<PutJob, 'start' | 'bytes' | 'grant'>,
  signal: AbortSignal,
) => Promise<string>
