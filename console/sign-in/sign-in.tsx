import { useSignal } from '@preact/signals'
import { ApiError } from '../../cli/client/errors.ts'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { Check } from '../controls/check.tsx'
import { reasonOf } from '../parts/notices.ts'
import { colours, nextColour } from '../shell/profiles.ts'
import { isMemoryOnly, profiles, signIn } from '../shell/session.ts'
import { clientFor } from '../shell/service.ts'

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** A key signs in as soon as it is pasted. @param done called once signed in */
export function SignIn({ done }: { readonly done?: () => void }) {
  const key = useSignal('')
  const name = useSignal('')
  const colour = useSignal(nextColour(profiles.value))
  const keep = useSignal(false)
  const isShown = useSignal(false)
  const isBusy = useSignal(false)
  const problem = useSignal<string | null>(null)
  const uploadsHere = isMemoryOnly()

  async function submit(): Promise<void> {
    const pasted = key.value.trim()
    if (pasted === '' || isBusy.value) return
    isBusy.value = true
    problem.value = null
    try {
      const { plan } = await clientFor(pasted).getUsage()
      const id = browserEffects.newId()
      signIn({
        id,
        key: pasted,
        colour: colour.value,
        keep: keep.value && !uploadsHere,
        name: name.value.trim() || `plan ${plan}`,
      })
      done?.()
    } catch (error) {
      problem.value =
        error instanceof ApiError && error.status === 401
          ? 'This service does not know that key. Keys begin with cff_; `npm run admin -- keys create ACCOUNT` makes one.'
          : reasonOf(error)
    } finally {
      isBusy.value = false
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text').trim() ?? ''
    if (key.value !== '' || !/^\S+$/.test(text)) return
    event.preventDefault()
    key.value = text
    void submit()
  }

  return (
    <form
      class="card sign-in"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <h1>Sign in</h1>
      <label class="field">
        <span>Paste an API key</span>
        <span class="with-button">
          <input
            // The types of preact have one set of attributes for each type.
            type={(isShown.value ? 'text' : 'password') as 'text'}
            class="mono"
            autocomplete="off"
            spellcheck={false}
            value={key.value}
            aria-invalid={problem.value !== null}
            aria-describedby="sign-in-problem"
            onInput={({ currentTarget }) => (key.value = currentTarget.value)}
            onPaste={onPaste}
          />
          <button
            type="button"
            class="button"
            aria-pressed={isShown.value}
            onClick={() => (isShown.value = !isShown.value)}
          >
            {isShown.value ? 'Hide' : 'Show'}
          </button>
        </span>
      </label>
      <p id="sign-in-problem" class="problem" role="alert">
        {problem.value}
      </p>
      <label class="field">
        <span>Name of this key, for you</span>
        <input
          type="text"
          placeholder="prod"
          value={name.value}
          onInput={({ currentTarget }) => (name.value = currentTarget.value)}
        />
      </label>
      <fieldset class="colours">
        <legend>Colour</legend>
        {colours.map((one, index) => (
          <label key={one} class={`colour colour-${index}`}>
            <input
              type="radio"
              name="colour"
              aria-label={`Colour ${index + 1}`}
              checked={colour.value === one}
              onChange={() => (colour.value = one)}
            />
          </label>
        ))}
      </fieldset>
      {uploadsHere ? (
        <p class="note">
          Stored files have the same origin as this page, so a file could read what is stored here.
          The key stays in the memory of this tab, until it is closed.
        </p>
      ) : (
        <Check isOn={keep.value} set={(isOn) => (keep.value = isOn)}>
          Keep on this device
        </Check>
      )}
      {location.protocol === 'http:' && !loopback.test(location.hostname) && (
        <p class="note">This page came over http: the key can be read on the way.</p>
      )}
      <div class="actions">
        <button type="submit" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? 'Asking the service' : 'Sign in'}
        </button>
      </div>
      <details class="key-help">
        <summary>How do I get a key?</summary>
        <p>
          Administrators of this service make keys:{' '}
          <code>npm run admin -- keys create ACCOUNT</code>; it is shown once, and begins with{' '}
          <code>cff_</code>.
        </p>
      </details>
    </form>
  )
}
