/** Work that another process may have: rows to dispatch, statuses to show, webhooks to send, pauses to read. */
export const hints = ['dispatch', 'mirror', 'webhooks', 'pauses'] as const
export type Hint = (typeof hints)[number]

/** How a loop learns of work that another process made. */
export interface WorkHints {
  /** @returns ends the subscription */
  readonly subscribe: (hint: Hint, onHint: () => void) => () => void
  /** Milliseconds between two polls of a busy loop that hints wake; 0 while no hints arrive: its own interval counts. */
  readonly shortestMs: () => number
  /** Milliseconds between two polls of an idle loop: short while no hints arrive. */
  readonly longestMs: () => number
}

/** Which work each change makes for others. */
const hintsAfter = {
  admit: ['dispatch'],
  claimAttempt: ['mirror'],
  storeProgress: ['mirror'],
  commitOutcome: ['mirror', 'webhooks', 'dispatch'],
  loseAttempt: ['mirror', 'webhooks'],
  importRefused: ['webhooks'],
  requestCancel: ['mirror', 'webhooks'],
  pause: ['pauses'],
  resume: ['pauses', 'dispatch', 'webhooks'],
} as const satisfies Readonly<Record<string, readonly Hint[]>>

type Method = (...args: unknown[]) => Promise<unknown>

/**
 * A store that gives hints after its changes, never inside their transactions: NOTIFY takes a lock
 * over all commits of the database. A lost hint delays the work until the next poll.
 */
export function withHints<S extends Readonly<Record<keyof typeof hintsAfter, unknown>>>(
  store: S,
  give: (hint: Hint) => void,
): S {
  const changes = Object.entries(hintsAfter).map(([name, given]) => {
    const method = Reflect.get(store, name) as Method
    const change: Method = async (...args) => {
      const result = await method(...args)
      given.forEach(give)
      return result
    }
    return [name, change] as const
  })
  return { ...store, ...Object.fromEntries(changes) }
}
