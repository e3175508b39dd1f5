import type { Store } from './store.ts'

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

/** Changes that make work for other processes. */
type HintingStore = Pick<
  Store,
  | 'admit'
  | 'claimAttempt'
  | 'storeProgress'
  | 'commitOutcome'
  | 'loseAttempt'
  | 'importRefused'
  | 'requestCancel'
  | 'pause'
  | 'resume'
>

/**
 * A store that gives hints after its changes, never inside their transactions: NOTIFY takes a lock
 * over all commits of the database. A lost hint delays the work until the next poll.
 */
export function withHints<S extends HintingStore>(store: S, give: (hint: Hint) => void): S {
  async function after<T>(change: Promise<T>, ...given: readonly Hint[]): Promise<T> {
    const result = await change
    given.forEach(give)
    return result
  }
  const changes: HintingStore = {
    admit: (...args) => after(store.admit(...args), 'dispatch'),
    claimAttempt: (...args) => after(store.claimAttempt(...args), 'mirror'),
    storeProgress: (...args) => after(store.storeProgress(...args), 'mirror'),
    commitOutcome: (...args) =>
      after(store.commitOutcome(...args), 'mirror', 'webhooks', 'dispatch'),
    loseAttempt: (...args) => after(store.loseAttempt(...args), 'mirror', 'webhooks'),
    importRefused: (...args) => after(store.importRefused(...args), 'webhooks'),
    requestCancel: (...args) => after(store.requestCancel(...args), 'mirror', 'webhooks'),
    pause: (...args) => after(store.pause(...args), 'pauses'),
    resume: (...args) => after(store.resume(...args), 'pauses', 'dispatch', 'webhooks'),
  }
  return { ...store, ...changes }
}
