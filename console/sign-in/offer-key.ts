import { browserEffects } from '../../cli/client/browser-effects.ts'
import { confirmed } from '../parts/confirm.tsx'
import { nextColour } from '../shell/profiles.ts'
import { profiles, signIn, unnamed } from '../shell/session.ts'

/**
 * Takes the key of a link at once only while no key is held. Otherwise anybody could lead a person who is
 * signed in to an account of his, by a link, and get what that person uploads next.
 */
export async function offerKey(key: string): Promise<void> {
  const { value: held } = profiles
  if (held.some((one) => one.key === key)) return
  if (held.length > 0 && !(await confirmed(question))) return
  const colour = nextColour(held)
  signIn({ id: browserEffects.newId(), name: unnamed, colour, key, keep: false })
}

const question = {
  title: 'Sign in to another account?',
  text: 'The link has its key. What you upload then belongs to it.',
  verb: 'Sign in',
}
