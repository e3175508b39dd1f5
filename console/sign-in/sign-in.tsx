import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { Check } from '../controls/choices.tsx'
import { Icon } from '../controls/icons.tsx'
import { accountName } from '../shell/account-words.ts'
import { apiUrl } from '../shell/navigation.ts'
import { nextColour } from '../shell/profiles.ts'
import { isMemoryOnly, profiles, refusedKey, signIn } from '../shell/session.ts'
import { clientFor, config } from '../shell/service.ts'
import { isReadable, pastedKey, refusalWords } from './sign-in-words.ts'
import type { RefObject } from 'preact'
import type { Signal } from '@preact/signals'

/** A key signs in as soon as it is pasted. @param done called once signed in */
export function SignIn({ done }: { readonly done?: () => void }) {
  const key = useSignal('')
  const keep = useSignal(false)
  const isBusy = useSignal(false)
  const problem = useSignal<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const uploadsHere = isMemoryOnly()
  useEffect(() => {
    // A key that is refused in the middle of other work must not take the focus from it.
    if (!refusedKey.peek()) input.current?.focus()
  }, [])

  async function submit(): Promise<void> {
    if (isBusy.value) return
    const pasted = key.value.trim()
    if (pasted === '') {
      problem.value = 'Paste a key.'
      input.current?.focus()
      return
    }
    isBusy.value = true
    problem.value = null
    try {
      const found = await clientFor(pasted).getUsage()
      signIn({
        id: browserEffects.newId(),
        key: pasted,
        colour: nextColour(profiles.value),
        keep: keep.value && !uploadsHere,
        name: accountName(found),
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
      <h1>
        Sign in to Cloud FFmpeg <span class="muted version">{config.value?.version}</span>
      </h1>
      {isReadable(location) && <ReadableWarning />}
      <KeyField value={key} input={input} isWrong={problem.value !== null} submit={submit} />
      <p id="sign-in-problem" class="problem" role="alert">
        {problem.value}
      </p>
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
      <div class="actions">
        <button type="submit" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? 'Asking the service' : 'Sign in'}
        </button>
      </div>
      <KeyHelp />
    </form>
  )
}

function ReadableWarning() {
  return (
    <p class="trouble sign-in-warning">
      <Icon name="warning" />
      <span>
        This page came over plain http: others on the network can read the key. Use the https
        address of the service.
      </span>
    </p>
  )
}

function KeyHelp() {
  return (
    <p class="note">
      {config.value?.key_help}
      <br />
      <a
        href={new URL('docs/guides/getting-started#address-and-key', apiUrl).href}
        target="_blank"
        rel="noopener"
      >
        How do I get a key?
      </a>
    </p>
  )
}

interface KeyProps {
  readonly value: Signal<string>
  readonly input: RefObject<HTMLInputElement | null>
  readonly isWrong: boolean
  readonly submit: () => Promise<void>
}

function KeyField({ value, input, isWrong, submit }: KeyProps) {
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
          ref={input}
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
