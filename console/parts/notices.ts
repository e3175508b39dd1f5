import { signal } from '@preact/signals'
import { ApiError, NoAnswerError } from '../../cli/client/errors.ts'
import { browserEffects } from '../../cli/client/browser-effects.ts'

interface Notice {
  readonly text: string
  readonly bad: boolean
}

export const notice = signal<Notice | null>(null)
const shownMs = 8_000

/** One sentence at the bottom, which screen readers speak. */
export function say(text: string, bad = false): void {
  const shown = { text, bad }
  notice.value = shown
  browserEffects.clock.schedule(shownMs, () => {
    if (notice.value === shown) notice.value = null
  })
}

/** Runs an action of the user and says why it was refused. */
export async function attempt(action: () => Promise<string>): Promise<void> {
  try {
    say(await action())
  } catch (error) {
    say(reasonOf(error), true)
  }
}

export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.detail}.`.replace(/[.?!]\.$/, '.')
  if (error instanceof NoAnswerError)
    return 'No answer from the service. Look at the list before you repeat it.'
  return error instanceof Error ? error.message : String(error)
}
