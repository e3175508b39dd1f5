import { signal } from '@preact/signals'

/** A list by its filters, under a name of the user. */
export interface SavedView {
  readonly name: string
  /** As in the address of the list. */
  readonly query: string
}

const storageName = 'cloud-ffmpeg.views'

export const savedViews = signal<readonly SavedView[]>(viewsIn(localStorage.getItem(storageName)))

/** A view of the same name is replaced. */
export function saveView(view: SavedView): void {
  const others = savedViews.value.filter(({ name }) => name !== view.name)
  store([...others, view].toSorted((a, b) => a.name.localeCompare(b.name)))
}

export function removeView(name: string): void {
  store(savedViews.value.filter((view) => view.name !== name))
}

function store(views: readonly SavedView[]): void {
  savedViews.value = views
  if (views.length === 0) localStorage.removeItem(storageName)
  else localStorage.setItem(storageName, JSON.stringify(views))
}

/** Views in the text of the storage, which other versions of this page may have written. */
function viewsIn(text: string | null): SavedView[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found) ? found.filter(isView) : []
  } catch {
    return []
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false
  const { name, query } = { name: undefined, query: undefined, ...value } as Record<string, unknown>
  return typeof name === 'string' && typeof query === 'string'
}
