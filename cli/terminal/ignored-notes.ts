/** Tells of parameters that a service of an earlier release ignores: each once, since calls repeat. */
export function ignoredNotes(say: (line: string) => void): (names: readonly string[]) => void {
  const named = new Set<string>()
  return (names) => {
    const fresh = names.filter((name) => !named.has(name))
    for (const name of fresh) named.add(name)
    if (fresh.length === 0) return
    say(`note: the service ignored ${fresh.join(', ')}; it is of an earlier release than this tool`)
  }
}
