import { useRef } from 'preact/hooks'
import { failures } from '../../common/domain/failures.ts'
import { Icon } from '../parts/icons.tsx'
import { say } from '../parts/notices.ts'
import { go } from '../shell/navigation.ts'
import { MetadataFilter } from './metadata-filter.tsx'
import { queryOf, stateFilters } from './filters.ts'
import { ViewsMenu } from './views-menu.tsx'
import { sinceFilters } from '../lists/since-filter.ts'
import type { SinceFilter } from '../lists/since-filter.ts'
import type { Filters, StateFilter } from './filters.ts'

export function FilterBar({ filters }: { readonly filters: Filters }) {
  const change = (next: Partial<Filters>) => {
    const query = queryOf({ ...filters, before: null, ...next })
    go({ page: 'commands', query }, 'replace')
  }
  return (
    <div class="filters">
      <div class="chips" role="group" aria-label="State">
        {Object.entries(stateFilters).map(([name, words]) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={filters.state === name}
            onClick={() => change({ state: name as StateFilter, error: null })}
          >
            {words}
          </button>
        ))}
      </div>
      {filters.state === 'failed' && (
        <select
          aria-label="Kind of failure"
          value={filters.error ?? ''}
          onChange={({ currentTarget }) => change({ error: currentTarget.value || null })}
        >
          <option value="">Any failure</option>
          {Object.entries(failures).map(([name, { sentence }]) =>
            name === 'CANCELLED' ? null : (
              <option key={name} value={name}>
                {sentence}
              </option>
            ),
          )}
        </select>
      )}
      <select
        aria-label="Time"
        value={filters.since}
        onChange={({ currentTarget }) => change({ since: currentTarget.value as SinceFilter })}
      >
        {Object.entries(sinceFilters).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      <MetadataFilter filters={filters} change={change} />
      <ViewsMenu filters={filters} />
    </div>
  )
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function IdSearch() {
  const input = useRef<HTMLInputElement>(null)
  const open = (event: Event) => {
    event.preventDefault()
    const id = input.current?.value.trim() ?? ''
    if (uuid.test(id)) go({ page: 'commands', id: id.toLowerCase() })
    else say('An id has 36 characters, such as 0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01.', true)
  }
  return (
    <form class="search" role="search" onSubmit={open}>
      <Icon name="search" />
      <input
        ref={input}
        id="search"
        type="search"
        placeholder="Open by id"
        aria-label="Open by id"
      />
    </form>
  )
}
