import { editDistance } from '../../common/runtime/edit-distance.ts'

/** The name that a mistyped one most likely means; null if none is near. */
export function nearest(typed: string, names: readonly string[]): string | null {
  const near = names
    .map((name) => ({ name, distance: editDistance(typed, name) }))
    .filter(({ name, distance: steps }) => steps <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.distance - b.distance)
  return near[0]?.name ?? null
}
