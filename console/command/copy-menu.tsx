import { Icon } from '../controls/icons.tsx'
import { attempt } from '../parts/notices.ts'
import { copyText } from '../parts/clipboard.ts'
import { apiUrl } from '../shell/navigation.ts'
import { copyAs, copyForms } from './copy-as.ts'
import type { CopyForm } from './copy-as.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'

/** Copies the request in one of its forms, without a look at its text first. */
export function CopyMenu({ request }: { readonly request: OriginalRequest }) {
  const copy = (form: CopyForm) =>
    attempt(async () => {
      document.getElementById('copy-as')?.hidePopover()
      if (!(await copyText(copyAs(form, request, apiUrl)))) {
        throw new Error('The browser does not allow to copy. Select the text under Request.')
      }
      return `The request is copied as ${copyForms[form]}, without the key.`
    })
  return (
    <div class="copy-as">
      <button type="button" class="button" popovertarget="copy-as">
        <Icon name="copy" />
        Copy as
      </button>
      <div id="copy-as" class="menu" popover="auto">
        {Object.entries(copyForms).map(([name, words]) => (
          <button
            key={name}
            type="button"
            class="menu-item"
            onClick={() => void copy(name as CopyForm)}
          >
            {words}
          </button>
        ))}
      </div>
    </div>
  )
}
