import { copyForms } from '../command/copy-as.ts'
import { RequestForms } from '../command/request-forms.tsx'
import { shownRequest } from '../draft/shown-request.ts'
import type { Draft } from '../draft/draft.ts'

/** Code of a program that does the same; never with the key. */
export function ShowAs({ draft }: { readonly draft: Draft }) {
  return (
    <details class="part show-as column box">
      <summary>
        <h2>Show as</h2>
        <span class="muted">{Object.values(copyForms).join(' · ')}</span>
      </summary>
      <RequestForms request={shownRequest(draft)} />
    </details>
  )
}
