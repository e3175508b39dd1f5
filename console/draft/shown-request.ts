import { requestOf } from './draft.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'
import type { Draft } from './draft.ts'

/**
 * The request of a draft for the forms in which programs send it, which are made from records: there a
 * field has null in place of nothing. An input without a URL has an example.
 */
export function shownRequest(draft: Draft): OriginalRequest {
  const request = requestOf(draft, ({ url, alias, hint }) =>
    url.trim() === '' ? `https://media.example/${hint ?? alias}` : url,
  )
  const unset = {
    input_files: null,
    input_compressed_folder: null,
    metadata: null,
    output_ttl_seconds: null,
    presigned_ttl_seconds: null,
    webhook_url: null,
  }
  return { ...unset, ...request } as unknown as OriginalRequest
}
