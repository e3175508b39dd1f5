import { Chips, Select } from '../controls/choices.tsx'
import { sinceFilters } from '../lists/since-filter.ts'
import { Icon } from '../controls/icons.tsx'
import { go } from '../shell/navigation.ts'
import { kindFilters, queryOf, typeFilters, viewFilters } from './file-filters.ts'
import type { ComponentChildren } from 'preact'
import type { FileFilters } from './file-filters.ts'

interface Props {
  readonly filters: FileFilters
  /** Words behind the filters. */
  readonly children: ComponentChildren
}

export function FilterBar({ filters, children }: Props) {
  const { type, kind, since, command, before, view } = filters
  const change = (next: Partial<FileFilters>) => {
    go({ page: 'files', query: queryOf({ ...filters, before: null, ...next }) }, 'replace')
  }
  return (
    <div class="filters row">
      <Chips label="Type" names={typeFilters} value={type} choose={(type) => change({ type })} />
      <Select
        label="Where files are from"
        names={kindFilters}
        value={kind}
        choose={(kind) => change({ kind })}
      />
      <Select
        label="Time"
        names={sinceFilters}
        value={since}
        choose={(since) => change({ since })}
      />
      {command !== null && (
        <button type="button" class="chip" onClick={() => change({ command: null })}>
          Outputs of one command
          <Icon name="failed" />
          <span class="off-screen">Show all files</span>
        </button>
      )}
      {children}
      <span class="space" />
      <Chips
        label="View"
        names={viewFilters}
        icons={{ grid: 'grid', list: 'list' }}
        value={view}
        choose={(view) => change({ view, before })}
      />
    </div>
  )
}
