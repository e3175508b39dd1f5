import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { inputPath } from '../../../common/command-line/model/input-path.ts'
import type { AnalyseFile, OutputFile } from '../../../common/gateway/messages.ts'
import { fetchEnds } from '../download/fetch-ends.ts'
import { fetchInputs } from '../download/fetch-inputs.ts'
import type { Execution } from '../attempt/execution.ts'
import { fileFacts } from './file-facts.ts'
import { storedName } from './store-file.ts'
import type { TransferSteps } from './store-file.ts'

/**
 * Probes an uploaded file. Of a large file the beginning and the end are enough for most fields,
 * and a hole takes the place of its middle; fields that need the whole file stay null.
 */
export async function analyseFile(
  execution: Execution,
  file: AnalyseFile,
  { fetch }: TransferSteps,
): Promise<OutputFile> {
  const { assignment, attempt, effects, reporter } = execution
  const { name, sizeBytes, fullFetchBytes } = file
  const isWhole = sizeBytes <= Math.min(fullFetchBytes, assignment.limits.scratchBytes)
  const path = await fetch((stop) =>
    isWhole ? fetchWhole(execution, file, stop) : fetchSparse(execution, file, stop),
  )
  await effects.failpoint('transfer.inputs_ready', async () => undefined)
  attempt.moveTo({ status: 'PROCESSING', stage: 'PREPARING_INPUT_FILES' })
  reporter.notify()
  const media = await fileFacts(execution, path, isWhole ? 'record' : 'ends', execution.signal)
  // Path and size say what was analysed; the record keeps those of the upload.
  return {
    alias: 'file',
    path: storedName(name),
    sizeBytes,
    compressedBytes: null,
    fileCount: null,
    media,
  }
}

async function fetchWhole(
  execution: Execution,
  { url }: AnalyseFile,
  signal: AbortSignal,
): Promise<string> {
  // The size was allowed when the upload began.
  const limits = { ...execution.assignment.limits, fileBytes: null }
  const [fetched] = await fetchInputs(
    {
      ...execution,
      assignment: { ...execution.assignment, limits },
      sources: [{ alias: 'file', url, stored: url }],
      named: false,
      onFetched: () => undefined,
    },
    signal,
  )
  if (fetched === undefined) throw new Error('nothing was fetched')
  return fetched.path
}

async function fetchSparse(
  { effects, work }: Execution,
  { name, url, sizeBytes }: AnalyseFile,
  signal: AbortSignal,
): Promise<string> {
  const path = inputPath('file', name)
  await using file = await open(join(work, path), 'w', 0o644)
  await fetchEnds({ url: new URL(url), file, sizeBytes, effects }, signal)
  return path
}
