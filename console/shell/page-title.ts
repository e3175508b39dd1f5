import { effect, signal } from '@preact/signals'
import { route } from './navigation.ts'
import { profile } from './session.ts'

interface Titled {
  readonly path: string
  readonly title: string
  readonly item?: { readonly title: string }
}

/** State and name of the command on the screen. */
const command = signal<string | null>(null)

/** @returns a function that takes the name away */
export function nameCommand(words: string): () => void {
  command.value = words
  return () => (command.value = null)
}

/** The one place that writes the title of the tab, so that no page leaves its own behind. */
export function followTitle(pages: readonly Titled[]): void {
  effect(() => {
    document.title = `${titleNow(pages)} · Cloud FFmpeg`
  })
}

function titleNow(pages: readonly Titled[]): string {
  if (profile.value === null) return 'Sign in'
  const { page, id } = route.value
  const found = pages.find(({ path }) => path === page)
  if (found !== undefined && id === null) return found.title
  return found?.item === undefined ? 'No such page' : (command.value ?? found.item.title)
}
