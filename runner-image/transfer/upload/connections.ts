import type { Effects } from '../../../common/runtime/effects.ts'
import { createLimit } from '../../../common/bounded/limit.ts'
import { openAhead } from './open-ahead.ts'
import { createStorageClient, uploadConnections } from './put-bytes.ts'
import type { Stored } from './put-bytes.ts'
import { putWithRetries } from './put-with-retries.ts'
import type { PutJob } from './put-with-retries.ts'

export interface PutRange {
  /** @throws Failure STORAGE_ERROR */
  (job: PutJob, signal: AbortSignal): Promise<Stored>
  /** Best-effort: the first job to this origin finds an open connection. */
  openAhead(origin: string): void
}

/** The four connections that all files of an attempt share; requests are served FIFO. */
export function createConnections(effects: Effects): PutRange {
  const limit = createLimit(uploadConnections)
  const client = createStorageClient(effects.clock)
  const put = (job: PutJob, signal: AbortSignal): Promise<Stored> =>
    limit(() => putWithRetries(job, client, effects, signal))
  return Object.assign(put, {
    openAhead(origin: string) {
      const url = new URL(origin)
      openAhead(client.agentFor(url.protocol === 'https:'), url)
    },
  })
}
