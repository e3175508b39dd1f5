import { join } from 'node:path'
import type { MediaFacts, OutputFile, StoreFile } from '../../../common/gateway/messages.ts'
import { fetchInputs } from '../download/fetch-inputs.ts'
import type { FetchedInput } from '../download/fetch-input.ts'
import type { Execution } from '../attempt/execution.ts'
import { createUploader } from '../upload/upload-files.ts'
import { runAll } from '../runtime/run-all.ts'
import { fileFacts } from './file-facts.ts'

/** Work that is paid from the transfer allowance. */
export interface TransferSteps {
  readonly fetch: <T>(work: (stop: AbortSignal) => Promise<T>) => Promise<T>
  readonly store: <T>(work: (stop: AbortSignal) => Promise<T>) => Promise<T>
}

/** Fetches a URL as an input would be, and stores the file while it is probed. */
export async function storeFile(
  execution: Execution,
  { source }: StoreFile,
  { fetch, store }: TransferSteps,
): Promise<OutputFile> {
  const { attempt, effects, reporter } = execution
  const [fetched] = await fetch((stop) =>
    fetchInputs(
      { ...execution, sources: [source], named: false, onFetched: () => undefined },
      stop,
    ),
  )
  if (fetched === undefined) throw new Error('nothing was fetched')
  await effects.failpoint('transfer.inputs_ready', async () => undefined)
  attempt.moveTo({ status: 'PROCESSING', stage: 'UPLOADING' })
  reporter.notify()
  const path = storedName(fetched.fileName)
  const [media] = await store((stop) =>
    runAll<MediaFacts | null>(stop, [
      (both) => fileFacts(execution, fetched.path, 'record', both),
      (both) => upload(execution, fetched, path, both),
    ]),
  )
  if (media === undefined || media === null) throw new Error('the file was not probed')
  const { bytes: sizeBytes } = fetched
  return { alias: source.alias, path, sizeBytes, compressedBytes: null, fileCount: null, media }
}

async function upload(
  execution: Execution,
  { bytes: sizeBytes, path: source }: FetchedInput,
  path: string,
  signal: AbortSignal,
): Promise<null> {
  const file = { path, source: join(execution.work, source), sizeBytes, alias: 'The file' }
  await createUploader(execution)([file], signal)
  return null
}

/** The end of the storage URL: what would need quoting there becomes an underscore. */
export function storedName(fileName: string): string {
  return fileName.replace(/[^A-Za-z0-9._-]/gu, '_').replace(/^[.-]/, '_')
}
