import type { Effects } from '../../../common/effects.ts'
import { Failure } from '../../../common/failures.ts'
import type { MultipartGrant, SingleGrant } from '../../../common/gateway/messages.ts'
import { storedType } from '../../../common/stored-type.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { together } from '../together.ts'
import { createLimit } from './limit.ts'
import { createStorageClient, uploadConnections } from './put-bytes.ts'
import { putWithRetries } from './put-with-retries.ts'
import type { PutJob } from './put-with-retries.ts'
import { openRegularFile } from './regular-file.ts'

export interface UploadFile {
  /** Relative to the attempt's prefix in the store. */
  readonly path: string
  /** Absolute, on disk. */
  readonly source: string
  readonly sizeBytes: number
  /** For sentences: the output that it belongs to. */
  readonly alias: string
}

export interface UploadDependencies {
  readonly gateway: Pick<Gateway, 'uploads' | 'parts' | 'complete'>
  readonly effects: Effects
}

/** @throws Failure STORAGE_ERROR */
export type UploadFiles = (files: readonly UploadFile[], signal: AbortSignal) => Promise<void>

const grantsAtOnce = 100

/**
 * Stores files by presigned URLs that the gateway gives for exactly these keys and sizes. All
 * files of an attempt share four connections.
 */
export function createUploader({ gateway, effects }: UploadDependencies): UploadFiles {
  const limit = createLimit(uploadConnections)
  const client = createStorageClient(effects.clock)

  return async (files, signal) => {
    // In batches, one after the other: URLs are good for an hour only.
    for (let first = 0; first < files.length; first += grantsAtOnce) {
      await storeBatch(files.slice(first, first + grantsAtOnce), signal)
    }
  }

  async function storeBatch(batch: readonly UploadFile[], signal: AbortSignal): Promise<void> {
    const grants = await grantsFor(batch, signal)
    await together(
      signal,
      batch.map((file, index) => (stop) => {
        const grant = grants[index]
        if (grant === undefined) throw new Error(`no upload URL for ${file.path}`)
        return storeFile(file, grant, stop)
      }),
    )
  }

  async function grantsFor(batch: readonly UploadFile[], signal: AbortSignal) {
    const files = batch.map(({ path, sizeBytes }) => ({ path, sizeBytes, ...storedType(path) }))
    return (await gateway.uploads({ files }, signal)).grants
  }

  async function storeFile(
    file: UploadFile,
    grant: SingleGrant | MultipartGrant,
    signal: AbortSignal,
  ): Promise<void> {
    const opened = await openRegularFile(file.source)
    if (opened?.sizeBytes !== file.sizeBytes) {
      await opened?.handle.close()
      throw new Failure('STORAGE_ERROR', `${file.alias} changed while it was stored`)
    }
    const put: PutPart = (job, stop) =>
      limit(() =>
        putWithRetries({ alias: file.alias, fd: opened.handle.fd, ...job }, client, effects, stop),
      )
    try {
      if (grant.kind === 'single') await storeWhole(file, grant, put, signal)
      else await storeParts(file, grant, put, signal)
    } finally {
      await opened.handle.close()
    }
  }

  async function storeWhole(
    file: UploadFile,
    granted: SingleGrant,
    put: PutPart,
    signal: AbortSignal,
  ): Promise<void> {
    const grant = async (fresh: boolean) => {
      const found = fresh ? (await grantsFor([file], signal))[0] : granted
      if (found?.kind !== 'single') throw new Error(`no single upload URL for ${file.path}`)
      return found
    }
    await put({ start: 0, bytes: file.sizeBytes, grant }, signal)
  }

  async function storeParts(
    file: UploadFile,
    { path, uploadId, partBytes, urls }: MultipartGrant,
    put: PutPart,
    signal: AbortSignal,
  ): Promise<void> {
    const { sizeBytes } = file
    const count = Math.ceil(sizeBytes / partBytes)
    const known = new Map(urls.map((url, index) => [index + 1, url]))

    let asking: Promise<void> | null = null

    async function grantOf(partNumber: number, fresh: boolean) {
      if (fresh) known.delete(partNumber)
      for (;;) {
        const url = known.get(partNumber)
        if (url !== undefined) return { url, headers: {} }
        // Parts that run out of URLs at the same moment wait for one answer together.
        asking ??= askFrom(partNumber).finally(() => {
          asking = null
        })
        await asking
      }
    }

    async function askFrom(partNumber: number): Promise<void> {
      const partNumbers = numbersFrom(partNumber, count)
      const answer = await gateway.parts({ path, uploadId, partNumbers }, signal)
      for (const [index, number] of partNumbers.entries()) {
        const url = answer.urls[index]
        if (url === undefined)
          throw new Error(`no upload URL for part ${String(number)} of ${path}`)
        known.set(number, url)
      }
    }

    const parts = await together(
      signal,
      numbersFrom(1, count, count).map((partNumber) => async (stop) => {
        const start = (partNumber - 1) * partBytes
        const bytes = Math.min(partBytes, sizeBytes - start)
        const grant = (fresh: boolean) => grantOf(partNumber, fresh)
        return { partNumber, etag: await put({ start, bytes, grant }, stop) }
      }),
    )
    await gateway.complete({ path, uploadId, sizeBytes, parts }, signal)
  }
}

type PutPart = (job: Omit<PutJob, 'alias' | 'fd'>, signal: AbortSignal) => Promise<string>

function numbersFrom(first: number, last: number, atMost = grantsAtOnce): number[] {
  return Array.from({ length: Math.min(atMost, last - first + 1) }, (_, index) => first + index)
}
