import { signal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { colours, nextColour } from '../shell/profiles.ts'
import { profile, profiles, signIn } from '../shell/session.ts'

const offered = signal<string | null>(null)

/**
 * Takes the key of a link at once only while no key is held. Otherwise anybody could lead a person who is
 * signed in to an account of his, by a link, and get what that person uploads next.
 */
export function offerKey(key: string): void {
  if (profiles.value.some((one) => one.key === key)) return
  if (profiles.value.length === 0) use(key, colours[0])
  else offered.value = key
}

function use(key: string, colour: string): void {
  signIn({ id: browserEffects.newId(), name: 'from a link', colour, key, keep: false })
}

/** The question whether the key of a link is to be used. */
export function LinkKey() {
  const key = offered.value
  if (key === null) return null
  const answer = (isTaken: boolean) => {
    offered.value = null
    if (isTaken) use(key, nextColour(profiles.value))
  }
  return (
    <section class="ask-key" role="alertdialog" aria-label="Key of a link">
      <p>
        The link has the key of another account. Use it only if you expected that: what you upload
        and run afterwards belongs to that account. You are signed in as {profile.value?.name}.
      </p>
      <div class="actions">
        <button type="button" class="button primary" onClick={() => answer(false)}>
          Stay
        </button>
        <button type="button" class="button" onClick={() => answer(true)}>
          Use the key of the link
        </button>
      </div>
    </section>
  )
}
