import { copyForms } from '../command/copy-as.ts'
import { RequestForms } from '../command/request-forms.tsx'
import { requestOf } from '../draft/draft.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'
import type { Draft } from '../draft/draft.ts'

/** What a program sends to do the same; never with the key. */
export function ShowAs({ draft }: { readonly draft: Draft }) {
  return (
    <details class="part show-as">
      <summary>
        <h2>Show as</h2>
        <span class="muted">{Object.values(copyForms).join(' · ')}</span>
      </summary>
      <RequestForms request={originalOf(draft)} />
    </details>
  )
}

/** The forms are made from records, where each field has a value or null. */
function originalOf(draft: Draft): OriginalRequest {
  const request = requestOf(draft, ({ url, alias, hint }) =>
    url.trim() === '' ? `https://media.example/${hint ?? alias}` : url,
  )
  const unset = {
    ...{ input_files: null, input_compressed_folder: null, metadata: null },
    ...{ output_ttl_seconds: null, webhook_url: null },
  }
  return { ...unset, ...request } as unknown as OriginalRequest
}
