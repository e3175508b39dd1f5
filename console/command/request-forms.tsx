import { useSignal } from '@preact/signals'
import { Chips } from '../controls/choices.tsx'
import { WholeOptions } from '../controls/whole-options.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { apiUrl } from '../shell/navigation.ts'
import { copyAs, copyForms } from './copy-as.ts'
import type { CopyForm } from './copy-as.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'

/** A request in the forms in which it can be sent, one at a time; never with the key. */
export function RequestForms({ request }: { readonly request: OriginalRequest }) {
  const form = useSignal<CopyForm>('curl')
  const text = copyAs(form.value, request, apiUrl)
  return (
    <>
      <Chips
        label="Form"
        names={copyForms}
        value={form.value}
        choose={(name) => (form.value = name)}
      />
      <div class="code request-code">
        <CopyButton text={text} what={copyForms[form.value]} worded="short" />
        <pre class="mono" tabIndex={0} aria-label={`Request as ${copyForms[form.value]}`}>
          <WholeOptions text={text} />
        </pre>
      </div>
    </>
  )
}
