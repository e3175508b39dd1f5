import { useSignal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { Check } from '../controls/choices.tsx'
import { colours, nextColour } from '../shell/profiles.ts'
import { isMemoryOnly, profiles, signIn } from '../shell/session.ts'
import { clientFor } from '../shell/service.ts'
import { isReadable, pastedKey, refusalWords } from './sign-in-words.ts'
import type { Signal } from '@preact/signals'

/** A key signs in as soon as it is pasted. @param done called once signed in */
export function SignIn({ done }: { readonly done?: () => void }) {
  const key = useSignal('')
  const name = useSignal('')
  const colour = useSignal(nextColour(profiles.value))
  const keep = useSignal(false)
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
      problem.value = refusalWords(error)
    } finally {
      isBusy.value = false
    }
  }
  return (
    <form
      class="card frame sign-in column"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <h1>Sign in</h1>
      <KeyField value={key} isWrong={problem.value !== null} submit={submit} />
      <p id="sign-in-problem" class="problem" role="alert">
        {problem.value}
      </p>
      <label class="field column">
        <span>Name of this key, for you</span>
        <input
          type="text"
          placeholder="prod"
          value={name.value}
          onInput={({ currentTarget }) => (name.value = currentTarget.value)}
        />
      </label>
      <ColourChoice value={colour} />
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
      {isReadable(location) && (
        <p class="note">This page came over http: the key can be read on the way.</p>
      )}
      <div class="actions">
        <button type="submit" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? 'Asking the service' : 'Sign in'}
        </button>
      </div>
      <KeyHelp />
    </form>
  )
}

interface KeyProps {
  readonly value: Signal<string>
  readonly isWrong: boolean
  readonly submit: () => Promise<void>
}

function KeyField({ value, isWrong, submit }: KeyProps) {
  const isShown = useSignal(false)
  const onPaste = (event: ClipboardEvent) => {
    const key = pastedKey(event.clipboardData?.getData('text') ?? '')
    if (value.value !== '' || key === null) return
    event.preventDefault()
    value.value = key
    void submit()
  }
  return (
    <label class="field column">
      <span>Paste an API key</span>
      <span class="with-button">
        <input
          // The types of preact have one set of attributes for each type.
          type={(isShown.value ? 'text' : 'password') as 'text'}
          class="mono"
          autocomplete="off"
          spellcheck={false}
          value={value.value}
          aria-invalid={isWrong}
          aria-describedby="sign-in-problem"
          onInput={({ currentTarget }) => (value.value = currentTarget.value)}
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
  )
}

function ColourChoice({ value }: { readonly value: Signal<string> }) {
  return (
    <fieldset class="colours">
      <legend>Colour</legend>
      {colours.map((one, index) => (
        <label key={one} class={`colour colour-${index}`}>
          <input
            type="radio"
            name="colour"
            aria-label={`Colour ${index + 1}`}
            checked={value.value === one}
            onChange={() => (value.value = one)}
          />
        </label>
      ))}
    </fieldset>
  )
}

function KeyHelp() {
  return (
    <details class="key-help">
      <summary>How do I get a key?</summary>
      <p>
        Administrators of this service make keys: <code>npm run admin -- keys create ACCOUNT</code>;
        it is shown once, and begins with <code>cff_</code>.
      </p>
    </details>
  )
}
