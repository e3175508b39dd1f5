import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { ListPages, UnreadList } from '../lists/list-frame.tsx'
import { Icon } from '../parts/icons.tsx'
import { attempt } from '../parts/notices.ts'
import { trouble } from '../shell/trouble.ts'
import { isLive } from '../shell/live.ts'
import { go, href } from '../shell/navigation.ts'
import { runSample } from './actions.ts'
import { createCommandList } from './command-list.ts'
import { CommandRow } from './command-row.tsx'
import { FilterBar, IdSearch } from './filter-bar.tsx'
import { filtersIn, isFiltered, queryOf } from './filters.ts'
import { SelectionBar } from './selection-bar.tsx'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { CommandList } from './command-list.ts'
import type { Filters } from './filters.ts'

interface Props {
  readonly client: Client
  readonly query: URLSearchParams
}

export function CommandsPage({ client, query }: Props) {
  const address = query.toString()
  const filters = useMemo(() => filtersIn(new URLSearchParams(address)), [address])
  const list = useMemo(() => createCommandList(client, filters), [client, filters])
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const isPaused = useSignal(false)
  useEffect(() => () => list.close(), [list])
  useEffect(
    () => list.hold(isPaused.value || selected.value.size > 0),
    [list, isPaused.value, selected.value],
  )
  const hold = (held: boolean) => list.hold(held || isPaused.value || selected.value.size > 0)
  const run = () =>
    attempt(async () => {
      const id = await runSample(client)
      go({ page: 'command', id })
      return 'The sample was submitted.'
    })

  return (
    <>
      <header class="page-head">
        <h1>Commands</h1>
        <LiveSwitch
          list={list}
          isPaused={isPaused.value}
          toggle={() => (isPaused.value = !isPaused.value)}
        />
        <span class="space" />
        <IdSearch />
        <button type="button" class="button primary" onClick={() => void run()}>
          <Icon name="plus" />
          Run a sample
        </button>
      </header>
      <FilterBar filters={filters} />
      <SelectionBar client={client} list={list} selected={selected} />
      <div class="table-box" onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)}>
        {list.rows.value.length > 0 && (
          <table class="commands">
            <thead>
              <tr>
                <th>
                  <span class="off-screen">Select</span>
                </th>
                <th>State</th>
                <th>Command</th>
                <th>Metadata</th>
                <th class="number">vCPU</th>
                <th class="number">Age</th>
                <th class="number">Took</th>
              </tr>
            </thead>
            <tbody>
              {list.rows.value.map((row) => (
                <CommandRow key={row.peek().command_id} row={row} selected={selected} />
              ))}
            </tbody>
          </table>
        )}
        <Instead list={list} filters={filters} run={run} />
      </div>
      <OtherPages list={list} filters={filters} />
    </>
  )
}

interface LiveProps {
  readonly list: CommandList
  readonly isPaused: boolean
  readonly toggle: () => void
}

function LiveSwitch({ list, isPaused, toggle }: LiveProps) {
  const waiting = list.waiting.value.size
  return (
    <>
      <button type="button" class="chip live" aria-pressed={!isPaused} onClick={toggle}>
        <span class={isLive.value && !isPaused && trouble.value === null ? 'dot on' : 'dot'} />
        {isPaused ? 'Paused' : 'Live'}
      </button>
      {waiting > 0 && (
        <button type="button" class="chip" onClick={() => void list.read()}>
          {waiting} new
        </button>
      )}
    </>
  )
}

interface InsteadProps {
  readonly list: CommandList
  readonly filters: Filters
  readonly run: () => Promise<void>
}

/** Content in place of the rows. */
function Instead({ list, filters, run }: InsteadProps) {
  if (list.state.value === 'loading') return <Skeleton />
  if (list.state.value === 'failed') {
    return <UnreadList problem={list.problem.value} read={list.read} />
  }
  if (!list.isEmpty.value) return null
  if (isFiltered(filters) || filters.before !== null) {
    return (
      <div class="instead">
        <p>No command matches.</p>
        <a class="button" href={href({ page: 'commands', query: new URLSearchParams() })}>
          Clear filters
        </a>
      </div>
    )
  }
  return (
    <div class="instead">
      <p>Nothing has run yet. A sample takes a few seconds and needs no file.</p>
      <button type="button" class="button primary" onClick={() => void run()}>
        Run a sample
      </button>
    </div>
  )
}

/** Shape of the rows to come; it appears after 200 ms and says what it waits for after 5 s. */
function Skeleton() {
  return (
    <div class="skeleton" aria-busy="true">
      {[1, 2, 3, 4, 5].map((row) => (
        <div key={row} class="skeleton-row" />
      ))}
      <p class="late">Still asking for the list.</p>
    </div>
  )
}

function OtherPages({ list, filters }: { readonly list: CommandList; readonly filters: Filters }) {
  const last = list.rows.value.at(-1)?.peek().command_id
  const to = (before: string | null) =>
    href({ page: 'commands', query: queryOf({ ...filters, before }) })
  return (
    <ListPages
      newest={filters.before === null ? null : to(null)}
      older={list.hasOlder.value && last !== undefined ? to(last) : null}
    />
  )
}
