import { computed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icons.tsx'
import { Skeleton } from '../controls/skeleton.tsx'
import { useAddress, useStore } from '../controls/page-hooks.ts'
import { InsteadOfItems, ItemCount, ListPages, WaitingItems } from '../lists/list-frame.tsx'
import { createSelection } from '../lists/selection.ts'
import { attempt } from '../parts/notices.ts'
import { hasEnded } from '../parts/state.ts'
import { trouble } from '../shell/trouble.ts'
import { isLive } from '../shell/live.ts'
import { go, href } from '../shell/navigation.ts'
import { runSample } from './actions.ts'
import { createCommandList } from './command-list.ts'
import { CommandRow } from './command-row.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filtersIn, isFiltered, queryOf } from './filters.ts'
import { IdSearch } from './open-by-id/id-search.tsx'
import { hasPicture, metadataWords } from './row-words.ts'
import { SelectionBar } from './selection-bar.tsx'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { PageList } from '../lists/page-list.ts'
import type { Filters } from './filters.ts'
import type { Row } from './list-rows.ts'

interface Props {
  readonly client: Client
  readonly query: URLSearchParams
}

export function CommandsPage({ client, query }: Props) {
  const filters = useAddress(query, filtersIn)
  const list = useStore(() => createCommandList(client, filters), [client, filters])
  const selection = useMemo(createSelection, [])
  const selected = selection.chosen
  const isPaused = useSignal(false)
  useEffect(
    () => list.hold(isPaused.value || selected.value.size > 0),
    [list, isPaused.value, selected.value],
  )
  const hold = (held: boolean) => list.hold(held || isPaused.value || selected.value.size > 0)
  const shownIds = () => list.items.peek().map((row) => row.peek().command_id)
  const search = (text: string) => {
    const query = queryOf({ ...filters, before: null, search: text })
    go({ page: 'commands', query }, 'replace')
  }
  const run = () =>
    attempt(async () => {
      const id = await runSample(client)
      go({ page: 'commands', id })
      return 'The sample was submitted.'
    })

  return (
    <>
      <header class="page-head row">
        <h1>Commands</h1>
        <LiveSwitch
          list={list}
          isPaused={isPaused.value}
          toggle={() => (isPaused.value = !isPaused.value)}
        />
        <span class="space" />
        <IdSearch client={client} shownIds={shownIds} search={search} />
        <a class="button primary" href={href({ page: 'playground' })}>
          <Icon name="plus" />
          New command
        </a>
      </header>
      <FilterBar filters={filters}>
        <ItemCount list={list} one="command" isFirst={filters.before === null} />
      </FilterBar>
      <SelectionBar client={client} list={list} selected={selected} />
      <div class="table-box" onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)}>
        {list.items.value.length > 0 && <CommandTable list={list} selection={selection} />}
        <InsteadOfItems
          list={list}
          item="command"
          loading={<Skeleton rows={5} late="Still asking for the list." />}
          unfiltered={
            isFiltered(filters) || filters.before !== null ? href({ page: 'commands' }) : null
          }
        >
          <p>Nothing has run yet. A sample takes a few seconds and needs no file.</p>
          <Button onClick={run}>Run a sample</Button>
        </InsteadOfItems>
      </div>
      <OtherPages list={list} filters={filters} />
    </>
  )
}

interface TableProps {
  readonly list: PageList<Row>
  readonly selection: ReturnType<typeof createSelection>
}

function CommandTable({ list, selection }: TableProps) {
  // Columns take the room that their cells need; the rest is of the command and its failure.
  const hasMetadata = list.items.value.some((row) => metadataWords(row.peek()) !== '')
  const hasAllEnded = useMemo(
    () => computed(() => list.items.value.every((row) => hasEnded(row.value))),
    [list],
  )
  const hasPictures = useMemo(
    () => computed(() => list.items.value.some((row) => hasPicture(row.value))),
    [list],
  )
  return (
    <table class={hasPictures.value ? 'commands list-table pictures' : 'commands list-table'}>
      <thead>
        <tr>
          <th>
            <span class="off-screen">Select</span>
          </th>
          <th class={hasAllEnded.value ? 'state-head short' : 'state-head'}>State</th>
          <th>Command</th>
          {hasMetadata && <th class="metadata-head">Metadata</th>}
          <th class="number vcpu-head">vCPU</th>
          <th class="number age-head">Age</th>
          <th class="number took-head">Took</th>
        </tr>
      </thead>
      <tbody>
        {list.items.value.map((row) => (
          <CommandRow
            key={row.peek().command_id}
            row={row}
            list={list}
            selection={selection}
            hasMetadata={hasMetadata}
          />
        ))}
      </tbody>
    </table>
  )
}

interface LiveProps {
  readonly list: PageList<Row>
  readonly isPaused: boolean
  readonly toggle: () => void
}

function LiveSwitch({ list, isPaused, toggle }: LiveProps) {
  return (
    <>
      <button type="button" class="chip live" aria-pressed={!isPaused} onClick={toggle}>
        <span class={isLive.value && !isPaused && trouble.value === null ? 'dot on' : 'dot'} />
        {isPaused ? 'Paused' : 'Live'}
      </button>
      <WaitingItems list={list} />
    </>
  )
}

function OtherPages({
  list,
  filters,
}: {
  readonly list: PageList<Row>
  readonly filters: Filters
}) {
  const last = list.items.value.at(-1)?.peek().command_id
  const to = (before: string | null) =>
    href({ page: 'commands', query: queryOf({ ...filters, before }) })
  return (
    <ListPages
      newest={filters.before === null ? null : to(null)}
      older={list.hasOlder.value && last !== undefined ? to(last) : null}
    />
  )
}
