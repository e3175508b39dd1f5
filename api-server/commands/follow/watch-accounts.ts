import { isFinal } from '../../../common/domain/states.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import type { LiveCommand } from '../../../common/store/command-states.ts'
import type { Store } from '../../../common/store/store.ts'

/** Watches all commands of accounts for the followers in this process. */
export interface AccountWatch {
  /** The caller must `close` what is returned. */
  follow(accountId: string): FollowedAccount
  /** How many accounts are followed. */
  size(): number
}

export interface FollowedAccount {
  /**
   * Commands that have changed since the last call, each with its newest state; first, without a
   * wait, those that have not ended. Waits for a change until `ms` have passed or the signal aborts.
   * @returns null while the commands have not been read at all
   */
  changes(ms: number, signal: AbortSignal): Promise<LiveCommand[] | null>
  close(): void
}

interface Follower {
  /** By id: a slow reader gets the newest state of each command and no backlog. */
  readonly pending: Map<string, LiveCommand>
  /** Has received the commands that had not ended. */
  hasBegun: boolean
  wake: () => void
}

interface Entry {
  /** null before the first read. */
  known: ReadonlyMap<string, LiveCommand> | null
  readonly followers: Set<Follower>
}

const readEveryMs = 500
/** Of each status. */
const mostLive = 500

/**
 * Reads the unfinished commands of all followed accounts by one statement every 500 ms, independent
 * of the number of followers; sends none while no account is followed.
 */
export function createAccountWatch(deps: {
  readonly store: Pick<Store, 'findLive' | 'findLiveByIds'>
  readonly clock: Clock
  readonly logger: Logger
}): AccountWatch {
  const { store, clock, logger } = deps
  const entries = new Map<string, Entry>()
  let isReading = false
  let isAway = false

  return {
    size: () => entries.size,
    follow(accountId) {
      const entry = entries.get(accountId) ?? { known: null, followers: new Set() }
      entries.set(accountId, entry)
      const unfinished = [...(entry.known?.values() ?? [])].filter(({ status }) => !isFinal(status))
      const pending = new Map(unfinished.map((command) => [command.commandId, command]))
      const follower: Follower = { pending, hasBegun: false, wake: () => undefined }
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

  function changesOf(
    entry: Entry,
    follower: Follower,
    { ms, signal }: { ms: number; signal: AbortSignal },
  ): Promise<LiveCommand[] | null> {
    return new Promise((resolve) => {
      const done = () => {
        cancel()
        signal.removeEventListener('abort', done)
        follower.wake = () => undefined
        const changed = [...follower.pending.values()]
        follower.pending.clear()
        follower.hasBegun = entry.known !== null
        resolve(follower.hasBegun ? changed : null)
      }
      const cancel = clock.schedule(ms, done)
      signal.addEventListener('abort', done, { once: true })
      follower.wake = done
      const isDue = follower.pending.size > 0 || (entry.known !== null && !follower.hasBegun)
      if (isDue || signal.aborted) done()
    })
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
      const live = await store.findLive([...entries.keys()], mostLive)
      const byAccount = Map.groupBy(live, ({ accountId }) => accountId)
      const found = new Set(live.map(({ commandId }) => commandId))
      const left = [...entries.values()].flatMap(({ known }) => unfinishedBeside(known, found))
      const ended = await store.findLiveByIds(left)
      const endedByAccount = Map.groupBy(ended, ({ accountId }) => accountId)
      for (const [accountId, entry] of entries) {
        take(entry, byAccount.get(accountId) ?? [], endedByAccount.get(accountId) ?? [])
      }
      isAway = false
    } catch (error) {
      // Logged once per outage, since reads are frequent.
      if (!isAway) logger.warn('cannot follow accounts now', { error })
      isAway = true
    }
  }

  function take(entry: Entry, live: LiveCommand[], ended: LiveCommand[]): void {
    const { known } = entry
    const isNew = known === null
    // Work that is not among the newest is not followed, so what is not final is not reported here.
    const all = [...live, ...ended.filter(({ status }) => isFinal(status))]
    for (const command of all) {
      if (isNew ? isFinal(command.status) : looksSame(known.get(command.commandId), command))
        continue
      for (const { pending } of entry.followers) pending.set(command.commandId, command)
    }
    entry.known = new Map(live.map((command) => [command.commandId, command]))
    for (const { pending, hasBegun, wake } of entry.followers) {
      if (pending.size > 0 || !hasBegun) wake()
    }
  }
}

function unfinishedBeside(known: Entry['known'], found: ReadonlySet<string>): string[] {
  return [...(known?.values() ?? [])]
    .filter(({ commandId, status }) => !found.has(commandId) && !isFinal(status))
    .map(({ commandId }) => commandId)
}

/** The version says nothing about the queue. */
function looksSame(one: LiveCommand | undefined, other: LiveCommand): boolean {
  return (
    one !== undefined &&
    one.version === other.version &&
    one.queuePosition === other.queuePosition &&
    one.queueReason === other.queueReason
  )
}
