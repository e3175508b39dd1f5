import { render } from 'preact'
import { browserEffects } from '../cli/client/browser-effects.ts'
import { App } from './app.tsx'
import { openPreferences } from './settings/stored-preferences.ts'
import { installShortcuts } from './shell/shortcuts.tsx'
import { followLinks } from './shell/navigation.ts'
import { colours } from './shell/profiles.ts'
import { readConfig } from './shell/service.ts'
import { openSession, signIn } from './shell/session.ts'

const keyInLink = takeKeyFromLink()
openPreferences()
const { storage_origins: origins } = await readConfig()
await openSession(origins.includes(location.origin))
if (keyInLink !== null) {
  const id = browserEffects.newId()
  signIn({ id, name: 'quickstart', colour: colours[0], key: keyInLink, keep: false })
}
followLinks()
installShortcuts()
const root = document.getElementById('app')
if (root !== null) render(<App />, root)

/** Quickstart prints `console#key=…`: a fragment reaches no server, and is erased here at once. */
function takeKeyFromLink(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key !== null) history.replaceState(null, '', location.pathname + location.search)
  return key
}
