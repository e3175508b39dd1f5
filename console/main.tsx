import { render } from 'preact'
import { App } from './app.tsx'
import { pages } from './pages.ts'
import { openPreferences } from './settings/stored-preferences.ts'
import { installShortcuts } from './shell/shortcuts.tsx'
import { followLinks } from './shell/navigation.ts'
import { followTitle } from './shell/page-title.ts'
import { readConfig } from './shell/service.ts'
import { openSession } from './shell/session.ts'
import { offerKey } from './sign-in/offer-key.ts'
import { NoStart } from './sign-in/no-start.tsx'

const keyInLink = takeKeyFromLink()
openPreferences()
const root = document.getElementById('app')
if (root !== null) void start(root)

/** Draws the page, or why it cannot begin yet. */
async function start(parent: Element): Promise<void> {
  try {
    await openSession((await readConfig()).storage_origins)
  } catch (error) {
    render(<NoStart problem={error} again={() => start(parent)} />, parent)
    return
  }
  if (keyInLink !== null) void offerKey(keyInLink)
  // A link to the page that is open changes its fragment alone.
  addEventListener('hashchange', () => {
    const key = takeKeyFromLink()
    if (key !== null) void offerKey(key)
  })
  followLinks()
  followTitle(pages)
  installShortcuts(pages)
  render(<App />, parent)
}

/** Quickstart prints `console#key=…`: a fragment reaches no server, and is erased here at once. */
function takeKeyFromLink(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key !== null) history.replaceState(null, '', location.pathname + location.search)
  return key
}
