import type { Effects } from '../../../common/runtime/effects.ts'
import { createLimit } from '../../../common/runtime/limit.ts'
import { createStorageClient, uploadConnections } from './put-bytes.ts'
import type { Stored } from './put-bytes.ts'
import { putWithRetries } from './put-with-retries.ts'
import type { PutJob } from './put-with-retries.ts'

/** @throws Failure STORAGE_ERROR */
export type PutRange = (job: PutJob, signal: AbortSignal) => Promise<Stored>

/** The four connections that all files of an attempt share; requests are served FIFO. */
export function createConnections(effects: Effects): PutRange {
  const limit = createLimit(uploadConnections)
  const client = createStorageClient(effects.clock)
  return (job, signal) => limit(() => putWithRetries(job, client, effects, signal))
}
