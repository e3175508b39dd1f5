import { Failure } from '../../../common/domain/failures.ts'
import type { Assignment, ReportedObject, Success } from '../../../common/gateway/messages.ts'
import { unknownMedia } from '../../../common/gateway/unknown-media.ts'
import type { Gateway } from '../../../runner-image/transfer/gateway/gateway.ts'
import type { FakeStorage } from '../world/fake-storage.ts'
import type { SimulatedProcess } from '../world/process.ts'
import type { Scenario } from '../world/settings.ts'

export interface Storing {
  readonly assignment: Assignment
  readonly gateway: Gateway
  readonly process: SimulatedProcess
  readonly scenario: Scenario
  readonly storage: FakeStorage
  readonly stop: AbortController
}

/** Stores the outputs of a command as a runner does: whole, or in parts of which one gets its URL later. */
export async function storeOutputs(
  { assignment, gateway, process, scenario, storage, stop }: Storing,
  wait: (ms: number) => Promise<void>,
): Promise<Success> {
  const sizeBytes = scenario.kind === 'large' ? 40 * 1024 * 1024 : 1024
  const outputs = Object.entries(assignment.outputs ?? {})
  const wanted = outputs.map(([, path]) => ({
    path,
    sizeBytes,
    contentType: 'video/mp4',
    attachment: false,
  }))
  const objects: ReportedObject[] = []
  const { grants } = await gateway.uploads({ files: wanted }, stop.signal)
  const put = async (url: string, bytes: number): Promise<string> => {
    for (let tries = 1; ; tries += 1) {
      await wait(50)
      try {
        return await process.reach(() => Promise.resolve(storage.put(url, bytes)))
      } catch (error) {
        if (tries === 60)
          throw new Failure('STORAGE_ERROR', 'An output could not be stored', { cause: error })
        await wait(1_000)
      }
    }
  }
  for (const grant of grants) {
    if (grant.kind === 'single') {
      objects.push({ path: grant.path, sizeBytes, etag: await put(grant.url, sizeBytes) })
      continue
    }
    const { path, uploadId, partBytes } = grant
    const bytesOf = (index: number) => Math.min(partBytes, sizeBytes - index * partBytes)
    const urls = [...grant.urls]
    // The last URL comes from a request of its own, as that of a part whose URL has expired.
    const numbers = [urls.length]
    const sizes = [bytesOf(urls.length - 1)]
    const request = { path, uploadId, partNumbers: numbers, sizes }
    const fresh = await gateway.parts(request, stop.signal)
    urls.splice(-1, 1, ...fresh.urls)
    const parts = []
    for (const [index, url] of urls.entries()) {
      const etag = await put(url, bytesOf(index))
      parts.push({ partNumber: index + 1, etag })
    }
    const etag = await gateway.complete({ path, uploadId, sizeBytes, parts }, stop.signal)
    objects.push({ path, sizeBytes, etag })
  }
  const files = outputs.map(([alias, path]) => ({
    alias,
    path,
    sizeBytes,
    compressedBytes: null,
    fileCount: null,
    media: unknownMedia,
  }))
  return { status: 'SUCCESS', files, objects }
}
