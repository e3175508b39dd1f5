import type { Gateway } from '../gateway/gateway.ts'
import type { Grant } from './put-with-retries.ts'

export interface PartUpload {
  readonly path: string
  readonly uploadId: string
  /** URLs of the first parts. */
  readonly urls: readonly string[]
}

/** @param fresh true if the URL given before was refused */
export type PartUrl = (partNumber: number, fresh: boolean, signal: AbortSignal) => Promise<Grant>

/**
 * URLs for the parts of an upload, requested by the hundred as they are needed.
 * @param lastPart the last part that there may be, as far as is known by now
 */
export function createPartUrls(
  gateway: Pick<Gateway, 'parts'>,
  { path, uploadId, urls }: PartUpload,
  lastPart: () => number,
): PartUrl {
  const known = new Map(urls.map((url, index) => [index + 1, url]))
  let asking: Promise<void> | null = null

  async function ask(partNumber: number, signal: AbortSignal): Promise<void> {
    const partNumbers = numbersFrom(partNumber, Math.max(partNumber, lastPart()))
    const answer = await gateway.parts({ path, uploadId, partNumbers }, signal)
    for (const [index, number] of partNumbers.entries()) {
      const url = answer.urls[index]
      if (url === undefined) throw new Error(`no upload URL for part ${String(number)} of ${path}`)
      known.set(number, url)
    }
  }

  return async (partNumber, fresh, signal) => {
    if (fresh) known.delete(partNumber)
    for (;;) {
      const url = known.get(partNumber)
      if (url !== undefined) return { url, headers: {} }
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
