import { effect, signal } from '@preact/signals'
import { route } from './navigation.ts'
import { profile } from './session.ts'
import type { Route } from './route.ts'

const titles: Readonly<Record<Route['page'], string>> = {
  commands: 'Commands',
  command: 'Command',
  playground: 'Playground',
  files: 'Files',
  webhooks: 'Webhooks',
  usage: 'Usage',
  keys: 'Keys',
  settings: 'Settings',
  unknown: 'No such page',
}

/** State and name of the command on the screen. */
const command = signal<string | null>(null)

/** @returns a function that takes the name away */
export function nameCommand(words: string): () => void {
  command.value = words
  return () => (command.value = null)
}

/** The one place that writes the title of the tab, so that no page leaves its own behind. */
export function followTitle(): void {
  effect(() => {
    document.title = `${titleNow()} · Cloud FFmpeg`
  })
}

function titleNow(): string {
  if (profile.value === null) return 'Sign in'
  const { page } = route.value
  return (page === 'command' ? command.value : null) ?? titles[page]
}
