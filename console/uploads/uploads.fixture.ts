import { aFile } from '../shell/samples.fixture.ts'
import { scriptedService, startMs } from '../shell/scripted-service.fixture.ts'
import { createUploads } from './upload-store.ts'
import { memoryJournal } from './browser-journal.ts'
import type { PartProgress, PartRange } from '../../cli/client/upload/upload-parts.ts'
import type { ScriptedService } from '../shell/scripted-service.fixture.ts'
import type { BrowserJournals, Unfinished } from './browser-journal.ts'
import type { Uploads } from './upload-store.ts'

export const partBytes = 8 * 1_048_576

/** A part on its way to the storage. */
export interface SentPart {
  readonly url: string
  readonly start: number
  readonly length: number
  readonly isAborted: () => boolean
  sent(bytes: number): void
  store(): void
  fail(error: Error): void
}

export interface TestUploads {
  readonly uploads: Uploads
  readonly service: ScriptedService
  /** Parts in the order in which they were begun. */
  readonly parts: SentPart[]
  /** Ids of uploads whose journal was removed. */
  readonly removed: string[]
  /** Uploads that the journals of an earlier page have. */
  unfinished: readonly Unfinished[]
  /** Whether the storage answers a request without CORS. */
  isStorageThere: boolean
  settle(): Promise<void>
}

/** A file of a computer; its content does not matter where no part is read. */
export function aFileOf(name: string, parts = 1): File {
  const file = new File(['x'], name, { lastModified: 1_000 })
  return Object.defineProperty(file, 'size', { value: parts * partBytes })
}

/** Uploads of an account whose service and storage a test answers for. */
export function testUploads({ hasJournals = true } = {}): TestUploads {
  const service = scriptedService()
  const parts: SentPart[] = []
  const removed: string[] = []
  let begun = 0
  service.on('POST /v1/files/init-upload', ({ body }) => {
    const { size_bytes: size } = body as { size_bytes: number }
    const id = `f${(begun += 1)}`
    service.on(`GET /v1/files/${id}`, () => aFile({ file_id: id, status: 'QUEUED' }))
    service.on(`POST /v1/files/${id}/abort-upload`, () => aFile({ file_id: id, status: 'FAILED' }))
    service.on(`POST /v1/files/${id}/complete-upload`, () =>
      aFile({ file_id: id, status: 'UPLOADED', storage_url: `https://s3.example/${id}` }),
    )
    return {
      file_id: id,
      part_size: partBytes,
      upload_urls: Array.from(
        { length: Math.ceil(size / partBytes) },
        (_, index) => `https://s3.example/${id}?partNumber=${index + 1}`,
      ),
      expires_at: new Date(startMs + 86_400_000).toISOString(),
    }
  })
  const journals: BrowserJournals = {
    journal: () => memoryJournal(),
    unfinished: async () => [...test.unfinished],
    async remove(id) {
      removed.push(id)
    },
  }
  const test: TestUploads = {
    service,
    parts,
    removed,
    unfinished: [],
    isStorageThere: true,
    settle: () => service.settle(),
    uploads: createUploads({
      client: service.client,
      accountId: 'account',
      journals: hasJournals ? journals : null,
      clock: service.clock,
      origin: 'https://console.example',
      async fetch() {
        if (!test.isStorageThere) throw new TypeError('Failed to fetch')
        return new Response()
      },
      putPart: (_file, range, progress) =>
        new Promise((resolve, reject) => parts.push(partOf(range, progress, resolve, reject))),
    }),
  }
  return test
}

function partOf(
  { url, start, length }: PartRange,
  { signal, onBytes }: PartProgress,
  resolve: (etag: string) => void,
  reject: (error: unknown) => void,
): SentPart {
  signal.addEventListener('abort', () => reject(signal.reason))
  return {
    url,
    start,
    length,
    isAborted: () => signal.aborted,
    sent: onBytes,
    store() {
      onBytes(length)
      resolve(`etag of ${start}`)
    },
    fail: reject,
  }
}
