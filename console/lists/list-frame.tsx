import { Icon } from '../parts/icons.tsx'
import { reasonOf } from '../parts/notices.ts'

/** Note in place of a list that could not be read. */
export function UnreadList({ problem, read }: { problem: unknown; read: () => Promise<void> }) {
  return (
    <div class="instead">
      <p>{reasonOf(problem)}</p>
      <button type="button" class="button" onClick={() => void read()}>
        Ask again
      </button>
    </div>
  )
}

/** Links to other pages of a list; null: this is the first, or the last page. */
export function ListPages({ newest, older }: { newest: string | null; older: string | null }) {
  if (newest === null && older === null) return null
  return (
    <nav class="pages" aria-label="Pages">
      {newest !== null && (
        <a class="button" href={newest}>
          Newest
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
