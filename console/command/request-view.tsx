import { useSignal } from '@preact/signals'
import { CopyButton } from '../parts/copy-button.tsx'
import { apiUrl } from '../shell/navigation.ts'
import { copyAs, copyForms } from './copy-as.ts'
import type { CopyForm } from './copy-as.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

/** The request as it was made, in forms that can be sent again. */
export function RequestView({ record }: { readonly record: CommandStatusRecord }) {
  const form = useSignal<CopyForm>('curl')
  const request = record.original_request
  if (request === null) {
    return (
      <p class="note">
        The service has deleted the request: the plan's retention of originals has passed.
      </p>
    )
  }
  const text = copyAs(form.value, request, apiUrl)
  return (
    <section class="request" aria-label="Request">
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
    </section>
  )
}

/** Inputs as links: what another host serves is never loaded into this page. */
export function InputsView({ record }: { readonly record: CommandStatusRecord }) {
  const request = record.original_request
  const zip =
    request !== null && 'input_compressed_folder' in request
      ? request.input_compressed_folder
      : null
  const inputs = [
    ...Object.entries(request?.input_files ?? {}),
    ...(zip === null || zip === undefined ? [] : [['zip archive', zip] as const]),
  ]
  if (inputs.length === 0) return <p class="note">This command reads no file.</p>
  return (
    <dl class="inputs">
      {inputs.map(([alias, url]) => (
        <div key={alias}>
          <dt class="mono">{alias}</dt>
          <dd>
            <a class="mono" href={url} target="_blank" rel="noopener noreferrer">
              {url}
            </a>
            <CopyButton text={url} what="URL" />
          </dd>
        </div>
      ))}
    </dl>
  )
}
