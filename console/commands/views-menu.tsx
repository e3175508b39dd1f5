import { useSignal } from '@preact/signals'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icons.tsx'
import { href } from '../shell/navigation.ts'
import { filtersIn, isFiltered, queryOf } from './filters.ts'
import { removeView, savedViews, saveView } from './saved-views.ts'
import type { Filters } from './filters.ts'

/** Lists that the user has given a name; they are stored in this browser. */
export function ViewsMenu({ filters }: { readonly filters: Filters }) {
  const name = useSignal('')
  const save = (event: Event) => {
    event.preventDefault()
    if (name.value.trim() === '') return
    const query = queryOf({ ...filters, before: null }).toString()
    saveView({ name: name.value.trim(), query })
    name.value = ''
  }
  return (
    <div class="views">
      <button type="button" class="chip" popovertarget="views">
        Saved views
        <Icon name="down" />
      </button>
      <div id="views" class="menu" popover="auto">
        {savedViews.value.map((view) => (
          <div key={view.name} class="view">
            <a
              class="menu-item"
              href={linkTo(view.query)}
              onClick={() => document.getElementById('views')?.hidePopover()}
            >
              <span class="clip">{view.name}</span>
            </a>
            <Button
              look="quiet"
              isSmall
              icon="failed"
              label={`Forget the view ${view.name}`}
              onClick={() => removeView(view.name)}
            />
          </div>
        ))}
        {isFiltered(filters) ? (
          <form class="view" onSubmit={save}>
            <input
              type="text"
              placeholder="Name of this view"
              aria-label="Name of this view"
              value={name.value}
              onInput={({ currentTarget }) => (name.value = currentTarget.value)}
            />
            <button type="submit" class="button">
              Save
            </button>
          </form>
        ) : (
          savedViews.value.length === 0 && <p class="note">Choose filters, then save them here.</p>
        )}
      </div>
    </div>
  )
}

function linkTo(query: string): string {
  return href({ page: 'commands', query: queryOf(filtersIn(new URLSearchParams(query))) })
}
