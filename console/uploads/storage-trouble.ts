import { UploadBlocked } from '../../cli/client/upload/part-errors.ts'
import { remedyFor } from '../parts/storage-remedy.ts'
import type { StorageRemedy } from '../parts/storage-remedy.ts'

/** Why no part reaches the storage from this page, with what an administrator can do about it. */
export class StorageTrouble extends UploadBlocked {
  readonly remedy: StorageRemedy | null

  constructor(message: string, remedy: StorageRemedy | null) {
    super(message)
    this.name = 'StorageTrouble'
    this.remedy = remedy
  }
}

interface Place {
  /** Origin of the page. */
  readonly origin: string
  /** URL to which the part was sent. */
  readonly url: string
}

/**
 * Tells the causes apart that a browser reports alike. An opaque request needs no permission of the
 * storage: if it succeeds, the storage answers, and only refuses this page.
 */
export async function troubleOf(
  { origin, url }: Place,
  send: typeof fetch,
): Promise<StorageTrouble> {
  const storage = new URL(url).origin
  if (origin.startsWith('https:') && storage.startsWith('http:')) {
    return new StorageTrouble(
      `The browser blocks this upload: this page is on https and the storage on http (${storage}). An administrator can give the storage an address on https: chart value storage.publicEndpoint.`,
      null,
    )
  }
  try {
    await send(storage, { mode: 'no-cors', cache: 'no-store' })
  } catch {
    return new StorageTrouble(
      `The storage does not answer this browser at ${storage}. Check the network, or ask an administrator whether storage.publicEndpoint is the right address.`,
      null,
    )
  }
  return new StorageTrouble(
    'Your storage does not allow this page (CORS). Pictures and videos still play; uploads and waveforms do not.',
    remedyFor(origin),
  )
}
