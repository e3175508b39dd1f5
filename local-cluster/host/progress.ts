export type Say = (text: string) => void

/** Announces a long step with its usual duration, repeats that it goes on every half minute, and says how long it took. */
export async function withProgress<T>(
  say: Say,
  { what, usually }: { readonly what: string; readonly usually: string },
  work: (onLine: (line: string) => void) => Promise<T>,
): Promise<T> {
  const begun = performance.now()
  const seconds = () => Math.round((performance.now() - begun) / 1000)
  let last = ''
  say(`${what} (usually ${usually})`)
  const timer = setInterval(() => {
    say(`${what}: ${seconds()} s${last === '' ? '' : `, ${last.slice(0, 80)}`}`)
  }, 30_000)
  try {
    const result = await work((line) => (last = line.trim()))
    say(`${what}: done in ${seconds()} s`)
    return result
  } finally {
    clearInterval(timer)
  }
}
