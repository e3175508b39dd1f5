import { CopyButton } from '../parts/copy-button.tsx'
import { RequestForms } from './request-forms.tsx'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

/** The request as it was made, in forms that can be sent again. */
export function RequestView({ record }: { readonly record: CommandStatusRecord }) {
  const request = record.original_request
  if (request === null) {
    return (
      <p class="note">
        The service has deleted the request: the plan's retention of originals has passed.
      </p>
    )
  }
  return (
    <section class="column dense" aria-label="Request">
      <RequestForms request={request} />
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
    <dl class="inputs column">
      {inputs.map(([alias, url]) => (
        <div key={alias}>
          <dt class="mono">{alias}</dt>
          <dd>
            {/* an applied object may have any text there */}
            {/^https?:/i.test(url) ? (
              <a class="mono" href={url} target="_blank" rel="noopener noreferrer">
                {url}
              </a>
            ) : (
              <span class="mono">{url}</span>
            )}
            <CopyButton text={url} what="URL" />
          </dd>
        </div>
      ))}
    </dl>
  )
}
