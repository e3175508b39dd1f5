import { useSignal } from '@preact/signals'
import { copyAs, copyForms } from '../command/copy-as.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { apiUrl } from '../shell/navigation.ts'
import { requestOf } from '../draft/draft.ts'
import type { CopyForm } from '../command/copy-as.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'
import type { Draft } from '../draft/draft.ts'

/** What a program sends to do the same; never with the key. */
export function ShowAs({ draft }: { readonly draft: Draft }) {
  const form = useSignal<CopyForm>('curl')
  const text = copyAs(form.value, originalOf(draft), apiUrl)
  return (
    <details class="part show-as">
      <summary>
        <h2>Show as</h2>
        <span class="muted">{Object.values(copyForms).join(' · ')}</span>
      </summary>
      <div class="chips" role="group" aria-label="Form">
        {Object.entries(copyForms).map(([name, words]) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={form.value === name}
            onClick={() => (form.value = name as CopyForm)}
          >
            {words}
          </button>
        ))}
        <span class="space" />
        <CopyButton text={text} what={copyForms[form.value]} worded />
      </div>
      <pre class="mono code" tabIndex={0} aria-label={`Request as ${copyForms[form.value]}`}>
        {text}
      </pre>
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
