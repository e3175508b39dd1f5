import { Chips, Select } from '../controls/choices.tsx'
import { Icon } from '../controls/icons.tsx'
import { sinceFilters } from '../lists/since-filter.ts'
import { go } from '../shell/navigation.ts'
import { MetadataFilter } from './metadata-filter.tsx'
import { causeWords, queryOf, stateFilters } from './filters.ts'
import { ViewsMenu } from './views-menu.tsx'
import type { ComponentChildren } from 'preact'
import type { Filters } from './filters.ts'

interface Props {
  readonly filters: Filters
  /** Words at the end. */
  readonly children: ComponentChildren
}

export function FilterBar({ filters, children }: Props) {
  const { state, error, since, search } = filters
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
      {search !== null && (
        <button
          type="button"
          class="chip"
          aria-pressed="true"
          title={`Remove the search for ${search}`}
          onClick={() => change({ search: null })}
        >
          {search}
          <Icon name="failed" />
        </button>
      )}
      <MetadataFilter filters={filters} change={change} />
      <ViewsMenu filters={filters} />
      {children}
    </div>
  )
}
