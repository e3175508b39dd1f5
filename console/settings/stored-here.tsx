import { Button } from '../controls/button.tsx'
import { savedViews } from '../commands/saved-views.ts'
import { confirmed } from '../parts/confirm.tsx'
import { attempt } from '../parts/notices.ts'
import { forgetPreferences } from './stored-preferences.ts'
import { isMemoryOnly, profiles, signOut } from '../shell/session.ts'
import { forgetOwnItems } from './own-items.ts'

/** Data that the browser keeps for this console, and the way to remove them. */
export function StoredHere() {
  const kept = profiles.value.filter(({ keep }) => keep).length
  const others = profiles.value.length - kept
  const forget = () =>
    attempt(async () => {
      const yes = await confirmed({
        title: 'Forget all?',
        text: 'Removes keys, drafts, unfinished uploads, saved views and appearance settings from this browser, in all its tabs. The account and its files stay.',
        verb: 'Forget all',
      })
      if (!yes) return 'All stays.'
      forgetOwnItems([localStorage, sessionStorage])
      savedViews.value = []
      forgetPreferences()
      signOut()
      return 'All local data is removed.'
    })
  return (
    <>
      <ul class="stored">
        <li>
          {isMemoryOnly()
            ? `${number(profiles.value.length, 'key')} in memory, until the page is closed`
            : `${number(others, 'key')} until the tab is closed, ${number(kept, 'key')} on this device`}
        </li>
        <li>{number(savedViews.value.length, 'saved view')} of the list of commands</li>
        <li>The draft of the playground, until the tab is closed</li>
        <li>Unfinished uploads, to go on after a reload</li>
        <li>The appearance settings above</li>
      </ul>
      <div class="actions">
        <Button look="bad" onClick={forget}>
          Forget all
        </Button>
      </div>
    </>
  )
}

function number(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
