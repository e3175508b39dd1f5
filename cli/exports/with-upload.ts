import { uploadBlob } from '../client/upload/upload-blob.ts'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'
import type { Client as Calls, CompleteOptions } from '../client/client-with-effects.ts'
import type { BlobUpload } from '../client/upload/upload-blob.ts'

export interface Client extends Calls {
  /**
   * Uploads a `Blob` or a `File`, such as one that was dropped on a page, straight to the storage. A
   * page needs the storage's permission for it (CORS).
   * @returns the record, in state UPLOADED: its URL can be an input already
   */
  upload(blob: Blob, options?: BlobUpload): Promise<FileRecord>
}

/** The console and the tool upload in ways of their own; programs that use the package get this one. */
export function withUpload(
  client: Calls,
  { fetch, effects: { clock } }: Pick<CompleteOptions, 'fetch' | 'effects'>,
): Client {
  return {
    ...client,
    upload: (blob, options) => uploadBlob({ client, fetch, clock }, blob, options),
  }
}
