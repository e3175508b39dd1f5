import { copyOf, forgetOrder } from '../memory-store/memory-rows.ts'
import type { Tables } from '../memory-store/memory-rows.ts'

export type TablesCopy = ReturnType<typeof copyTables>

/** The state after a commit, kept to lose the commits after it. */
export function copyTables(tables: Tables) {
  const { files, ...maps } = tables
  return {
    files: copyOf(files),
    maps: Object.entries(maps).map(([name, map]) => {
      const entries = [...(map as Map<string, unknown>)]
      return { name, entries: entries.map(([key, value]) => [key, copyOf(value)] as const) }
    }),
  }
}

/** A copy may be used once: its rows become those of the tables. */
export function replaceTables(tables: Tables, { files, maps }: TablesCopy): void {
  tables.files.splice(0, Infinity, ...files)
  for (const { name, entries } of maps) {
    const map = tables[name as Exclude<keyof Tables, 'files'>] as Map<string, unknown>
    map.clear()
    for (const [key, value] of entries) map.set(key, value)
  }
  forgetOrder(tables)
}
