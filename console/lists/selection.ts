/** The set with the item, or without it if it had it. */
export function toggledSelection<Item>(chosen: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const next = new Set(chosen)
  if (!next.delete(item)) next.add(item)
  return next
}
