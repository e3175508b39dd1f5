import type { Effects } from '../../../common/runtime/effects.ts'
import type { ClientUploads } from '../../../common/storage/object-store.ts'
import type { UploadSession } from '../../../common/store/files.ts'

export interface SignPartUrlsDeps {
  readonly objects: Pick<ClientUploads, 'presignParts'>
  readonly effects: Effects
  /** Calls back at the end of the present turn of the event loop. */
  readonly atTurnEnd: (callback: () => void) => void
}

/** Signatures per event-loop turn: some milliseconds, after which other requests proceed. */
const urlsPerTurn = 250

/** One URL for each part and its length, valid until the session ends. */
export async function signPartUrls(
  { objects, effects, atTurnEnd }: SignPartUrlsDeps,
  { key, uploadId, sizeBytes, partBytes, secondsLeft }: UploadSession,
  partCount: number,
): Promise<string[]> {
  const expiresSeconds = Math.max(1, Math.floor(secondsLeft))
  const urls: string[] = []
  while (urls.length < partCount) {
    const [first, count] = [urls.length + 1, Math.min(urlsPerTurn, partCount - urls.length)]
    const signed = await effects.failpoint('files.urls_signed', () =>
      objects.presignParts({
        key,
        uploadId,
        first,
        count,
        partBytes,
        sizeBytes,
        expiresSeconds,
      }),
    )
    urls.push(...signed)
    await new Promise<void>((resolve) => atTurnEnd(resolve))
  }
  return urls
}
