import { Icon } from '../parts/icons.tsx'
import { go } from '../shell/navigation.ts'
import { kindFilters, queryOf, typeFilters } from './file-filters.ts'
import { sinceFilters } from '../lists/since-filter.ts'
import type { SinceFilter } from '../lists/since-filter.ts'
import type { FileFilters, KindFilter, TypeFilter } from './file-filters.ts'

export function FilterBar({ filters }: { readonly filters: FileFilters }) {
  const change = (next: Partial<FileFilters>) => {
    go({ page: 'files', query: queryOf({ ...filters, before: null, ...next }) }, 'replace')
  }
  return (
    <div class="filters">
      <div class="chips" role="group" aria-label="Type">
        {Object.entries(typeFilters).map(([name, words]) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={filters.type === name}
            onClick={() => change({ type: name as TypeFilter })}
          >
            {words}
          </button>
        ))}
      </div>
      <Choice
        label="Where files are from"
        names={kindFilters}
        value={filters.kind}
        choose={(kind) => change({ kind: kind as KindFilter })}
      />
      <Choice
        label="Time"
        names={sinceFilters}
        value={filters.since}
        choose={(since) => change({ since: since as SinceFilter })}
      />
      {filters.command !== null && (
        <button type="button" class="chip" onClick={() => change({ command: null })}>
          Outputs of one command
          <Icon name="failed" />
          <span class="off-screen">Show all files</span>
        </button>
      )}
      <span class="space" />
      <div class="chips" role="group" aria-label="View">
        {(['grid', 'list'] as const).map((view) => (
          <button
            key={view}
            type="button"
            class="chip"
            aria-pressed={filters.view === view}
            onClick={() => change({ view, before: filters.before })}
          >
            <Icon name={view} />
            {view === 'grid' ? 'Grid' : 'List'}
          </button>
        ))}
      </div>
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly names: Readonly<Record<string, string>>
  readonly value: string
  readonly choose: (name: string) => void
}

function Choice({ label, names, value, choose }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {Object.entries(names).map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
  )
}
