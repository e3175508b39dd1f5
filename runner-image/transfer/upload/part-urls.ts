import type { Gateway } from '../gateway/gateway.ts'
import type { Grant } from './put-with-retries.ts'

export interface PartUpload {
  readonly path: string
  readonly uploadId: string
  /** Size of every part but the last. */
  readonly partBytes: number
  /** URLs of the first parts. */
  readonly urls: readonly string[]
}

/** @param fresh true if the URL given before was refused */
export type PartUrl = (partNumber: number, fresh: boolean, signal: AbortSignal) => Promise<Grant>

export interface PartsAhead {
  /** The last part that there may be. */
  readonly count: number
  /** null = the file still grows, so every part may become full. */
  readonly sizeBytes: number | null
}

/**
 * URLs for the parts of an upload, requested by the hundred as they are needed. Each is for a certain
 * length, so the last part of a file that has stopped to grow needs a URL of its own.
 * @param ahead what is known of the file by now
 */
export function createPartUrls(
  gateway: Pick<Gateway, 'parts'>,
  { path, uploadId, partBytes, urls }: PartUpload,
  ahead: () => PartsAhead,
): PartUrl {
  const known = new Map(urls.map((url, index) => [index + 1, { url, bytes: bytesOf(index + 1) }]))
  let asking: Promise<void> | null = null

  async function ask(partNumber: number, signal: AbortSignal): Promise<void> {
    const partNumbers = numbersFrom(partNumber, Math.max(partNumber, ahead().count))
    const sizes = partNumbers.map(bytesOf)
    const answer = await gateway.parts({ path, uploadId, partNumbers, sizes }, signal)
    for (const [index, number] of partNumbers.entries()) {
      const url = answer.urls[index]
      if (url === undefined) throw new Error(`no upload URL for part ${String(number)} of ${path}`)
      known.set(number, { url, bytes: sizes[index] ?? 0 })
    }
  }

  function bytesOf(partNumber: number): number {
    return Math.min(partBytes, (ahead().sizeBytes ?? Infinity) - (partNumber - 1) * partBytes)
  }

  return async (partNumber, fresh, signal) => {
    if (fresh) known.delete(partNumber)
    for (;;) {
      const found = known.get(partNumber)
      if (found?.bytes === bytesOf(partNumber)) return { url: found.url, headers: {} }
      // Parts that run out of URLs at the same moment share one request.
      asking ??= ask(partNumber, signal).finally(() => {
        asking = null
      })
      await asking
    }
  }
}

const askedAtOnce = 100

function numbersFrom(first: number, last: number): number[] {
  const count = Math.min(askedAtOnce, last - first + 1)
  return Array.from({ length: count }, (_, index) => first + index)
}
