/** How the address and the playground come to name the same run. */
export type RunStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'show'; readonly runId: string | null }
  | { readonly kind: 'write'; readonly runId: string | null; readonly how: 'push' | 'replace' }

/**
 * Compares the run of the address with the run that is shown; the side that changed wins.
 * @param last run of both when they were last the same; undefined when the page was just opened
 */
export function runAddressStep(
  address: string | null,
  shown: string | null,
  last: string | null | undefined,
): RunStep {
  if (address === shown) return { kind: 'none' }
  if (last === undefined) {
    return address === null
      ? { kind: 'write', runId: shown, how: 'replace' }
      : { kind: 'show', runId: address }
  }
  return address === last
    ? { kind: 'write', runId: shown, how: 'push' }
    : { kind: 'show', runId: address }
}
