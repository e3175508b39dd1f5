import { useSignal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { Check } from '../controls/choices.tsx'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { reasonOf } from '../parts/notices.ts'
import { nextColour } from '../shell/profiles.ts'
import { profiles, signIn } from '../shell/session.ts'
import { lifetimes } from './key-words.ts'
import type { CreatedKey } from '../../common/openapi/openapi-types.ts'
import type { KeyList } from './key-list.ts'

/** A form for one more key, which is shown once. */
export function MakeKey({ list }: { readonly list: KeyList }) {
  const label = useSignal('')
  const isReadOnly = useSignal(false)
  const lifetime = useSignal(0)
  const made = useSignal<CreatedKey | null>(null)
  const problem = useSignal<string | null>(null)
  const isBusy = useSignal(false)
  async function make(): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    problem.value = null
    try {
      made.value = await list.make({
        label: label.value.trim(),
        read_only: isReadOnly.value,
        expires_in_seconds: lifetimes[lifetime.value]?.seconds ?? null,
      })
      label.value = ''
    } catch (error) {
      problem.value = reasonOf(error)
    } finally {
      isBusy.value = false
    }
  }
  if (made.value !== null) {
    return <MadeKey made={made.value} close={() => (made.value = null)} />
  }
  return (
    <form
      class="card frame wide column"
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      <h2>Make a key</h2>
      <label class="field column">
        <span>Name of the key</span>
        <input
          type="text"
          required
          maxLength={100}
          placeholder="laptop, ci, wall screen"
          value={label.value}
          onInput={({ currentTarget }) => (label.value = currentTarget.value)}
        />
      </label>
      <label class="field column">
        <span>Expires</span>
        <select
          value={String(lifetime.value)}
          onChange={({ currentTarget }) => (lifetime.value = Number(currentTarget.value))}
        >
          {lifetimes.map(({ words }, index) => (
            <option key={words} value={String(index)}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <Check isOn={isReadOnly.value} set={(isOn) => (isReadOnly.value = isOn)}>
        Read-only
      </Check>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <div class="actions">
        <button
          type="submit"
          class="button primary"
          disabled={isBusy.value || label.value.trim() === ''}
        >
          {isBusy.value ? 'Making it' : 'Make the key'}
        </button>
      </div>
    </form>
  )
}

function MadeKey({ made, close }: { readonly made: CreatedKey; readonly close: () => void }) {
  const use = () => {
    const colour = nextColour(profiles.value)
    const id = browserEffects.newId()
    signIn({ id, name: made.label ?? 'new', colour, key: made.api_key, keep: false })
  }
  return (
    <section class="card frame wide made-key column" aria-label="The new key">
      <h2>{made.label} is made</h2>
      <p role="status">
        Copy the key now: the service keeps only its hash, and shows it this once.
      </p>
      <p class="code mono">{made.api_key}</p>
      <div class="actions">
        <CopyButton text={made.api_key} what="key" worded />
        <Button onClick={use}>Use it in this console</Button>
        <Button onClick={close}>Done, hide it</Button>
      </div>
    </section>
  )
}
