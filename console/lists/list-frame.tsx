import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icons.tsx'
import { reasonOf } from '../parts/notices.ts'
import type { ComponentChildren } from 'preact'
import type { PageList } from './page-list.ts'

interface InsteadProps {
  readonly list: Pick<PageList<unknown>, 'state' | 'problem' | 'isEmpty' | 'read'>
  /** Name of one item. */
  readonly item: string
  /** Skeleton while the list is read for the first time. */
  readonly loading: ComponentChildren
  /** Address of the list without filters; null: it has none. */
  readonly unfiltered: string | null
  /** Text of a list without items and filters. */
  readonly children: ComponentChildren
}

/** Content in place of the items of a list. */
export function InsteadOfItems({ list, item, loading, unfiltered, children }: InsteadProps) {
  if (list.state.value === 'loading') return <>{loading}</>
  if (list.state.value === 'failed') {
    return (
      <div class="instead column middle">
        <p>{reasonOf(list.problem.value)}</p>
        <Button onClick={list.read}>Refresh</Button>
      </div>
    )
  }
  if (!list.isEmpty.value) return null
  if (unfiltered === null) return <div class="instead column middle">{children}</div>
  return (
    <div class="instead column middle">
      <p>No {item} matches.</p>
      <a class="button" href={unfiltered}>
        Clear filters
      </a>
    </div>
  )
}

/** Button that shows items which came while the list was held. */
export function WaitingItems({ list }: { list: Pick<PageList<unknown>, 'waiting' | 'read'> }) {
  const count = list.waiting.value.size
  if (count === 0) return null
  return (
    <button type="button" class="chip" onClick={() => void list.read()}>
      {count} new
    </button>
  )
}

interface CountProps {
  readonly list: Pick<PageList<unknown>, 'items' | 'hasOlder' | 'state'>
  /** Name of one item. */
  readonly one: string
  /** Whether it is the first page. */
  readonly isFirst: boolean
}

/** The number of items that match; of this page where others match too. */
export function ItemCount({ list, one, isFirst }: CountProps) {
  if (list.state.value !== 'ready') return null
  const count = list.items.value.length
  const words = `${count} ${one}${count === 1 ? '' : 's'}`
  const isWhole = isFirst && !list.hasOlder.value
  return <span class="muted number">{isWhole ? words : `${words} on this page`}</span>
}

interface PagesProps {
  /** Addresses of other pages; null: there is no such page. */
  readonly newest?: string | null
  readonly newer?: string | null
  readonly older: string | null
}

/** Links to other pages of a list. */
export function ListPages({ newest = null, newer = null, older }: PagesProps) {
  if (newest === null && newer === null && older === null) return null
  return (
    <nav class="pages" aria-label="Pages">
      {newest !== null && (
        <a class="button" href={newest}>
          Newest
        </a>
      )}
      {newer !== null && (
        <a class="button" href={newer}>
          <Icon name="back" />
          Newer
        </a>
      )}
      {older !== null && (
        <a class="button" href={older}>
          Older
          <Icon name="next" />
        </a>
      )}
    </nav>
  )
}
