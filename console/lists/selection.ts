import { signal } from '@preact/signals'

/** The set with the item, or without it if it had it. */
export function toggledSelection<Item>(chosen: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const next = new Set(chosen)
  if (!next.delete(item)) next.add(item)
  return next
}

/** Ids that the user has chosen of a list. */
export function createSelection() {
  const chosen = signal<ReadonlySet<string>>(new Set())
  let last: string | null = null
  return {
    chosen,
    /**
     * Chooses an id, or takes it out.
     * @param shown ids of the page in their order
     * @param isRange all from the last picked id to this one get its new state
     */
    pick: (id: string, shown: readonly string[], isRange: boolean): void => {
      const next = new Set(toggledSelection(chosen.peek(), id))
      const ends = [shown.indexOf(last ?? id), shown.indexOf(id)].toSorted((a, b) => a - b)
      const [from = -1, to = -1] = ends
      if (isRange && from >= 0) {
        const isChosen = next.has(id)
        for (const one of shown.slice(from, to + 1)) {
          if (isChosen) next.add(one)
          else next.delete(one)
        }
      }
      last = id
      chosen.value = next
    },
    clear: (): void => {
      chosen.value = new Set()
    },
  }
}

export type Selection = ReturnType<typeof createSelection>
