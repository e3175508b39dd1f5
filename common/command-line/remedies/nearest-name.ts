import { editDistance } from '../../domain/edit-distance.ts'

/** Probable meaning of a mistyped name; null where none is near. A short name is near to many others. */
export function nearestName(name: string, names: readonly string[]): string | null {
  const most = name.length < 4 ? 1 : 2
  const near = names
    .map((one) => ({ one, distance: editDistance(one, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance)
  return near[0]?.one ?? null
}
