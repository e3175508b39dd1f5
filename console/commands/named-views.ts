/** A list by its filters, under a name of the user. */
export interface SavedView {
  readonly name: string
  /** Query of the address of the list. */
  readonly query: string
}

/** Views in the text of the storage, which other versions of this page may have written. */
export function viewsIn(text: string | null): SavedView[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found) ? found.filter(isView) : []
  } catch {
    return []
  }
}

/** Names are unique: a view of the same name is replaced. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  const others = views.filter(({ name }) => name !== view.name)
  return [...others, view].toSorted((a, b) => a.name.localeCompare(b.name))
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false
  const { name, query } = { name: undefined, query: undefined, ...value } as Record<string, unknown>
  return typeof name === 'string' && typeof query === 'string'
}
