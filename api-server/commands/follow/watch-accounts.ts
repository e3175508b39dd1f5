import { waitFor } from '../../../common/runtime/wait-for.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { Logger } from '../../../common/runtime/logger.ts'

/** Watches all rows of accounts, commands or files, for the followers in this process. */
export interface AccountWatch<Row> {
  /** The caller must `close` what is returned. */
  follow(accountId: string): FollowedAccount<Row>
  /** How many accounts are followed. */
  size(): number
}

export interface Watched<Row> {
  /** Plural, for the log. */
  readonly name: string
  readonly clock: Clock
  readonly logger: Logger
  /** Rows that have not ended, at most `most` of each status, and those that came and ended lately. */
  readLive(accountIds: readonly string[], most: number): Promise<Row[]>
  readByIds(ids: readonly string[]): Promise<Row[]>
  readonly idOf: (row: Row) => string
  readonly hasEnded: (row: Row) => boolean
  /** Whether two states of a row are the same to a follower. */
  looksSame(one: Row, other: Row): boolean
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

interface Follower<Row> {
  /** Keys are ids: a slow reader gets the newest state of each row and no backlog. */
  readonly pending: Map<string, Row>
  /** Has received the rows that had not ended. */
  hasBegun: boolean
  wake: () => void
}

interface Entry<Row> {
  /** null before the first read. */
  known: ReadonlyMap<string, Row> | null
  readonly followers: Set<Follower<Row>>
}

const readEveryMs = 500
/** Most live commands that are read of each status. */
const mostLive = 500

/**
 * Reads the unfinished rows of all followed accounts by one statement every 500 ms, independent
 * of the number of followers; sends none while no account is followed.
 */
export function createAccountWatch<Row extends { readonly accountId: string }>(
  watched: Watched<Row>,
): AccountWatch<Row> {
  const { clock, logger, idOf, hasEnded } = watched
  const entries = new Map<string, Entry<Row>>()
  let isReading = false
  let isUnavailable = false

  return {
    size: () => entries.size,
    follow(accountId) {
      const entry: Entry<Row> = entries.get(accountId) ?? { known: null, followers: new Set() }
      entries.set(accountId, entry)
      const unfinished = [...(entry.known?.values() ?? [])].filter((row) => !hasEnded(row))
      const pending = new Map(unfinished.map((row) => [idOf(row), row]))
      const follower: Follower<Row> = { pending, hasBegun: false, wake: () => undefined }
      entry.followers.add(follower)
      readSoon(entry.known === null ? 0 : readEveryMs)
      return {
        changes: (ms, signal) => changesOf(entry, follower, { ms, signal }),
        close() {
          entry.followers.delete(follower)
          if (entry.followers.size === 0 && entries.get(accountId) === entry) {
            entries.delete(accountId)
          }
        },
      }
    },
  }

  async function changesOf(
    entry: Entry<Row>,
    follower: Follower<Row>,
    { ms, signal }: { ms: number; signal: AbortSignal },
  ): Promise<Row[] | null> {
    await waitFor(clock, { ms, signal }, (done) => {
      follower.wake = done
      if (follower.pending.size > 0 || (entry.known !== null && !follower.hasBegun)) done()
      return () => {
        follower.wake = () => undefined
      }
    })
    const changed = [...follower.pending.values()]
    follower.pending.clear()
    follower.hasBegun = entry.known !== null
    return follower.hasBegun ? changed : null
  }

  function readSoon(delayMs: number): void {
    if (isReading || entries.size === 0) return
    isReading = true
    clock.schedule(delayMs, () => {
      void read().finally(() => {
        isReading = false
        readSoon(readEveryMs)
      })
    })
  }

  async function read(): Promise<void> {
    if (entries.size === 0) return
    try {
      const live = await watched.readLive([...entries.keys()], mostLive)
      const byAccount = Map.groupBy(live, ({ accountId }) => accountId)
      const found = new Set(live.map(idOf))
      const left = [...entries.values()].flatMap(({ known }) => unfinishedBeside(known, found))
      const ended = await watched.readByIds(left)
      const endedByAccount = Map.groupBy(ended, ({ accountId }) => accountId)
      for (const [accountId, entry] of entries) {
        take(entry, byAccount.get(accountId) ?? [], endedByAccount.get(accountId) ?? [])
      }
      isUnavailable = false
    } catch (error) {
      // Logged once per outage, since reads are frequent.
      if (!isUnavailable) logger.warn(`cannot follow ${watched.name} of accounts now`, { error })
      isUnavailable = true
    }
  }

  function take(entry: Entry<Row>, live: Row[], ended: Row[]): void {
    const { known } = entry
    const isNew = known === null
    // Work that is not among the newest is not followed, so what is not final is not reported here.
    for (const row of [...live, ...ended.filter(hasEnded)]) {
      const before = known?.get(idOf(row))
      const isSame = before !== undefined && watched.looksSame(before, row)
      if (isNew ? hasEnded(row) : isSame) continue
      for (const { pending } of entry.followers) pending.set(idOf(row), row)
    }
    entry.known = new Map(live.map((row) => [idOf(row), row]))
    for (const { pending, hasBegun, wake } of entry.followers) {
      if (pending.size > 0 || !hasBegun) wake()
    }
  }

  function unfinishedBeside(known: Entry<Row>['known'], found: ReadonlySet<string>): string[] {
    return [...(known?.values() ?? [])]
      .filter((row) => !found.has(idOf(row)) && !hasEnded(row))
      .map(idOf)
  }
}
