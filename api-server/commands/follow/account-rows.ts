import { waitFor } from '../../../common/runtime/wait-for.ts'
import type { Clock } from '../../../common/runtime/effects.ts'

/** The rows of one account as they were last read, for its followers. */
export interface AccountRows<Row> {
  follow(): FollowedAccount<Row>
  isFollowed(): boolean
  /** Whether the rows have been read at all. */
  isRead(): boolean
  /** Ids of rows that had not ended at the last read and are not among these. */
  unfinishedBeside(found: ReadonlySet<string>): string[]
  /** Passes the changes of a read on to the followers. */
  take(live: readonly Row[], ended: readonly Row[]): void
}

export interface FollowedAccount<Row> {
  /**
   * Rows that have changed since the last call, each with its newest state; first, without a
   * wait, those that have not ended. Waits for a change until `ms` have passed or the signal aborts.
   * @returns null while the rows have not been read at all
   */
  changes(ms: number, signal: AbortSignal): Promise<Row[] | null>
  close(): void
}

export interface AccountRowsDeps<Row> {
  readonly clock: Clock
  readonly idOf: (row: Row) => string
  readonly hasEnded: (row: Row) => boolean
  /** Whether two states of a row are the same to a follower. */
  looksSame(one: Row, other: Row): boolean
}

interface Follower<Row> {
  /** Keys are ids: a slow reader gets the newest state of each row and no backlog. */
  readonly pending: Map<string, Row>
  /** Has received the rows that had not ended. */
  hasBegun: boolean
  wake: () => void
}

export function createAccountRows<Row>(deps: AccountRowsDeps<Row>): AccountRows<Row> {
  const { clock, idOf, hasEnded } = deps
  const followers = new Set<Follower<Row>>()
  /** null before the first read. */
  let known: ReadonlyMap<string, Row> | null = null
  return {
    isFollowed: () => followers.size > 0,
    isRead: () => known !== null,
    follow() {
      const pending = new Map(unfinished().map((row) => [idOf(row), row]))
      const follower: Follower<Row> = { pending, hasBegun: false, wake: () => undefined }
      followers.add(follower)
      return {
        changes: (ms, signal) => changesFor(follower, ms, signal),
        close: () => void followers.delete(follower),
      }
    },
    unfinishedBeside: (found) =>
      unfinished()
        .map(idOf)
        .filter((id) => !found.has(id)),
    take(live, ended) {
      // Work that is not among the newest is not followed, so what is not final is not reported here.
      for (const row of [...live, ...ended.filter(hasEnded)]) {
        const before = known?.get(idOf(row))
        const isSame = before !== undefined && deps.looksSame(before, row)
        if (known === null ? hasEnded(row) : isSame) continue
        for (const { pending } of followers) pending.set(idOf(row), row)
      }
      known = new Map(live.map((row) => [idOf(row), row]))
      for (const { pending, hasBegun, wake } of followers) {
        if (pending.size > 0 || !hasBegun) wake()
      }
    },
  }

  function unfinished(): Row[] {
    return [...(known?.values() ?? [])].filter((row) => !hasEnded(row))
  }

  async function changesFor(
    follower: Follower<Row>,
    ms: number,
    signal: AbortSignal,
  ): Promise<Row[] | null> {
    await waitFor(clock, { ms, signal }, (done) => {
      follower.wake = done
      if (follower.pending.size > 0 || (known !== null && !follower.hasBegun)) done()
      return () => {
        follower.wake = () => undefined
      }
    })
    const changed = [...follower.pending.values()]
    follower.pending.clear()
    follower.hasBegun = known !== null
    return follower.hasBegun ? changed : null
  }
}
