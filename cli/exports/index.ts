import { createClient as createCalls } from '../client/client.ts'
import { requireAddress } from '../client/client-with-effects.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { withUpload } from './with-upload.ts'
import type { ClientOptions } from '../client/client.ts'
import type { Client } from './with-upload.ts'

/** The client for programs on Node.js. */
export function createClient(options: ClientOptions): Client {
  requireAddress(options)
  const complete = {
    ...options,
    fetch: options.fetch ?? fetch,
    effects: options.effects ?? systemEffects(),
  }
  return withUpload(createCalls(complete), complete)
}

export type { Client } from './with-upload.ts'
export type { BlobUpload } from '../client/upload/upload-blob.ts'
export { ApiError, NoAnswerError, UnexpectedAnswer } from '../client/errors.ts'
export { downloadFile } from '../client/transfer/download-file.ts'
export { uploadFile } from '../client/transfer/upload-file.ts'
export { uploadJournal } from '../client/transfer/file-journal.ts'
export type { Download } from '../client/transfer/download-file.ts'
export type { Upload } from '../client/transfer/upload-file.ts'
export type { UploadJournal } from '../client/upload/journal.ts'
export type * from '../client/client.ts'
export type * from '../../common/openapi/openapi-types.ts'
