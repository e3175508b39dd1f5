/** The name that a mistyped one most likely means; null if none is near. */
export function nearest(typed: string, names: readonly string[]): string | null {
  const near = names
    .map((name) => ({ name, distance: distance(typed, name) }))
    .filter(({ name, distance: steps }) => steps <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.distance - b.distance)
  return near[0]?.name ?? null
}

/** Levenshtein's distance: insertions, deletions and substitutions. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [at, wanted] of [...other].entries()) {
      const substituted = (row[at] ?? 0) + (letter === wanted ? 0 : 1)
      next.push(Math.min(substituted, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
