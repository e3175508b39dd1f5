import { useRef } from 'preact/hooks'
import { Chips, Select } from '../controls/choices.tsx'
import { sinceFilters } from '../lists/since-filter.ts'
import { Icon } from '../controls/icons.tsx'
import { say } from '../parts/notices.ts'
import { go } from '../shell/navigation.ts'
import { MetadataFilter } from './metadata-filter.tsx'
import { causeWords, queryOf, stateFilters } from './filters.ts'
import { ViewsMenu } from './views-menu.tsx'
import type { Filters } from './filters.ts'

export function FilterBar({ filters }: { readonly filters: Filters }) {
  const { state, error, since } = filters
  const change = (next: Partial<Filters>) => {
    const query = queryOf({ ...filters, before: null, ...next })
    go({ page: 'commands', query }, 'replace')
  }
  return (
    <div class="filters row">
      <Chips
        label="State"
        names={stateFilters}
        value={state}
        choose={(state) => change({ state, error: null })}
      />
      {state === 'failed' && (
        <Select
          label="Kind of failure"
          names={{ '': 'Any failure', ...causeWords }}
          value={error ?? ''}
          choose={(cause) => change({ error: cause || null })}
        />
      )}
      <Select
        label="Time"
        names={sinceFilters}
        value={since}
        choose={(since) => change({ since })}
      />
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
