import { runAll } from '../runtime/run-all.ts'
import type { MultipartGrant, SingleGrant } from '../../../common/gateway/messages.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { createPartUrls } from './part-urls.ts'
import type { PutJob } from './put-with-retries.ts'

/** Stores a part of one open file. @returns its ETag */
export type PutPart = (
  job: Pick<PutJob, 'start' | 'bytes' | 'grant'>,
  signal: AbortSignal,
) => Promise<string>

interface WholeFile {
  readonly path: string
  readonly sizeBytes: number
  readonly put: PutPart
  /** Requests another grant after the first was refused. */
  readonly renew: () => Promise<SingleGrant | MultipartGrant | undefined>
}

/** Stores a file by one request. */
export async function storeWhole(
  { path, sizeBytes, put, renew }: WholeFile,
  granted: SingleGrant,
  signal: AbortSignal,
): Promise<string> {
  const grant = async (fresh: boolean) => {
    const found = fresh ? await renew() : granted
    if (found?.kind !== 'single') throw new Error(`no single upload URL for ${path}`)
    return found
  }
  const etag = await put({ start: 0, bytes: sizeBytes, grant }, signal)
  return etag.replaceAll('"', '')
}

interface FileInParts {
  readonly sizeBytes: number
  readonly put: PutPart
  readonly gateway: Pick<Gateway, 'parts' | 'complete'>
}

/** Stores a file by a multipart upload. */
export async function storeParts(
  { sizeBytes, put, gateway }: FileInParts,
  upload: MultipartGrant,
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
