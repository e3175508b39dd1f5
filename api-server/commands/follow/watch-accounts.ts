import { createAccountRows } from './account-rows.ts'
import { createPoller } from './poller.ts'
import type { AccountRows, AccountRowsDeps, FollowedAccount } from './account-rows.ts'
import type { Logger } from '../../../common/runtime/logger.ts'

/** Watches all rows of accounts, commands or files, for the followers in this process. */
export interface AccountWatch<Row> {
  /** The caller must `close` what is returned. */
  follow(accountId: string): FollowedAccount<Row>
  /** How many accounts are followed. */
  size(): number
}

export interface Watched<Row> extends AccountRowsDeps<Row> {
  /** Plural, for the log. */
  readonly name: string
  readonly logger: Logger
  /** Rows that have not ended, at most `most` of each status, and those that came and ended lately. */
  readLive(accountIds: readonly string[], most: number): Promise<Row[]>
  readByIds(ids: readonly string[]): Promise<Row[]>
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
  const accounts = new Map<string, AccountRows<Row>>()
  const poller = createPoller({
    ...watched,
    name: `${watched.name} of accounts`,
    next: () => (accounts.size === 0 ? null : { delayMs: readEveryMs, read }),
  })
  return {
    size: () => accounts.size,
    follow(accountId) {
      const rows = accounts.get(accountId) ?? createAccountRows(watched)
      accounts.set(accountId, rows)
      const followed = rows.follow()
      poller.schedule(rows.isRead() ? readEveryMs : 0)
      return {
        ...followed,
        close() {
          followed.close()
          if (!rows.isFollowed() && accounts.get(accountId) === rows) accounts.delete(accountId)
        },
      }
    },
  }

  async function read(): Promise<void> {
    // An account that is followed from now on is not in this read.
    const asked = [...accounts]
    if (asked.length === 0) return
    const live = await watched.readLive([...accounts.keys()], mostLive)
    const found = new Set(live.map(watched.idOf))
    const left = asked.flatMap(([, rows]) => rows.unfinishedBeside(found))
    const ended = Map.groupBy(await watched.readByIds(left), ({ accountId }) => accountId)
    const byAccount = Map.groupBy(live, ({ accountId }) => accountId)
    for (const [accountId, rows] of asked) {
      rows.take(byAccount.get(accountId) ?? [], ended.get(accountId) ?? [])
    }
  }
}
