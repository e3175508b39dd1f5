import { useSignal } from '@preact/signals'
import { reasonOf } from '../parts/notices.ts'
import { clientFor } from '../shell/service.ts'

/** Page of installations where people make accounts themselves: a mail brings the key. */
export function Register() {
  const email = useSignal('')
  const said = useSignal<{ text: string; bad: boolean } | null>(null)
  const isBusy = useSignal(false)
  const register = async () => {
    isBusy.value = true
    try {
      await clientFor('').registerAccount({ email: email.value.trim() })
      said.value = { text: `A mail to ${email.value.trim()} brings your key.`, bad: false }
    } catch (error) {
      said.value = { text: reasonOf(error), bad: true }
    }
    isBusy.value = false
  }
  return (
    <details class="card frame register">
      <summary>No key yet? Register</summary>
      <form
        class="column"
        onSubmit={(event) => {
          event.preventDefault()
          void register()
        }}
      >
        <label class="field column">
          <span>Your e-mail address</span>
          <span class="with-button">
            <input
              type="email"
              required
              autocomplete="email"
              value={email.value}
              onInput={({ currentTarget }) => (email.value = currentTarget.value)}
            />
            <button type="submit" class="button" disabled={isBusy.value}>
              Send
            </button>
          </span>
        </label>
        <p role="status" class={said.value?.bad ? 'problem' : 'note'}>
          {said.value?.text}
        </p>
      </form>
    </details>
  )
}
