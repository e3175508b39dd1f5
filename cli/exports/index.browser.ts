import { browserEffects } from '../client/browser-effects.ts'
import { createClientWith, requireAddress } from '../client/client-with-effects.ts'
import { withUpload } from './with-upload.ts'
import type { ClientOptions } from '../client/client-with-effects.ts'
import type { Client } from './with-upload.ts'

/** The client for browsers and for bundlers with the condition `browser`: without local files. */
export function createClient(options: ClientOptions): Client {
  requireAddress(options)
  const complete = {
    ...options,
    // Browsers refuse a `fetch` that is called as the method of another object.
    fetch: options.fetch ?? ((...given: Parameters<typeof fetch>) => fetch(...given)),
    effects: options.effects ?? browserEffects,
  }
  return withUpload(createClientWith(complete), complete)
}

export { ApiError, NoAnswerError, UnexpectedAnswer } from '../client/errors.ts'
export type { Client } from './with-upload.ts'
export type { BlobUpload } from '../client/upload/upload-blob.ts'
export type * from '../client/client-with-effects.ts'
export type * from '../../common/openapi/openapi-types.ts'
