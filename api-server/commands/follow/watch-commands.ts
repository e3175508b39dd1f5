import { createPoller } from './poller.ts'
import { waitFor } from '../../../common/runtime/wait-for.ts'
import { notFound } from '../../http/errors.ts'
import type { Poll } from './poller.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import type { CommandState } from '../../../common/store/command-states.ts'
import type { Store } from '../../../common/store/store.ts'
import type { AuthenticatedKey } from '../../../common/store/accounts.ts'

/** Watches rows for all followers in this process. */
export interface CommandWatch {
  /** @param first a state that was just read; the caller must `close` what is returned */
  follow(first: CommandState): FollowedCommand
  /** How many commands are being followed. */
  size(): number
}

export interface FollowedCommand {
  /** The newest known state. */
  state(): CommandState
  /** Resolves when there is a newer state than `version`, after `ms`, or when the signal aborts. */
  newer(version: number, ms: number, signal: AbortSignal): Promise<void>
  close(): void
}

interface Entry {
  state: CommandState
  followers: number
  /** Monotonic clock. */
  readonly youngUntilMs: number
  readonly listeners: Set<() => void>
}

const youngEveryMs = 20
/** Age up to which a command is polled every 20 ms; for longer commands 100 ms of delay do not matter, and polls cost CPU. */
const youngMs = 2_000
/** Reads of young commands per read of all commands. */
const youngReadsPerRead = 4
const watchEveryMs = youngEveryMs * (youngReadsPerRead + 1)

/**
 * Polls the states of all followed commands with one statement every 100 ms, independent of the
 * number of clients; sends none while no command is followed. A command that was submitted less than
 * 2 s ago is polled every 20 ms: it may end within a tenth of a second. Followers wait while the database
 * is unavailable.
 */
export function createCommandWatch(deps: {
  readonly store: Pick<Store, 'findChanged'>
  readonly clock: Clock
  readonly logger: Logger
}): CommandWatch {
  const { store, clock, logger } = deps
  const entries = new Map<string, Entry>()
  // Reads of young commands since the last read of all.
  let youngReads = 0
  const poller = createPoller({ name: 'commands', clock, logger, next })

  return {
    size: () => entries.size,
    follow(first) {
      const { commandId } = first
      const entry = entries.get(commandId) ?? newEntry(first, clock.monotonicMs())
      entries.set(commandId, entry)
      entry.followers += 1
      take(entry, first)
      poller.schedule()
      let isOpen = true
      return {
        state: () => entry.state,
        newer: (version, ms, signal) => newer(entry, { version, ms, signal }),
        close() {
          if (!isOpen) return
          isOpen = false
          entry.followers -= 1
          if (entry.followers === 0) entries.delete(commandId)
        },
      }
    },
  }

  function newer(
    entry: Entry,
    { version, ms, signal }: { version: number; ms: number; signal: AbortSignal },
  ): Promise<void> {
    if (entry.state.version > version) return Promise.resolve()
    return waitFor(clock, { ms, signal }, (done) => {
      entry.listeners.add(done)
      return () => entry.listeners.delete(done)
    })
  }

  function take(entry: Entry, state: CommandState): void {
    if (state.version <= entry.state.version) return
    entry.state = state
    for (const listener of Array.from(entry.listeners)) listener()
  }

  function youngEntries(): Entry[] {
    const nowMs = clock.monotonicMs()
    return [...entries.values()].filter(({ youngUntilMs }) => youngUntilMs > nowMs)
  }

  function next(): Poll | null {
    if (entries.size === 0) return null
    if (youngReads < youngReadsPerRead && youngEntries().length > 0) {
      youngReads += 1
      return { delayMs: youngEveryMs, read: () => read(youngEntries()) }
    }
    const delayMs = watchEveryMs - youngReads * youngEveryMs
    youngReads = 0
    return { delayMs, read: () => read([...entries.values()]) }
  }

  async function read(asked: readonly Entry[]): Promise<void> {
    if (asked.length === 0) return
    for (const state of await store.findChanged(asked.map((entry) => entry.state))) {
      const entry = entries.get(state.commandId)
      if (entry !== undefined) take(entry, state)
    }
  }
}

function newEntry(state: CommandState, nowMs: number): Entry {
  const ageMs = state.readAt.getTime() - state.createdAt.getTime()
  return { state, followers: 0, youngUntilMs: nowMs + youngMs - ageMs, listeners: new Set() }
}

/** @throws Refusal 404 for unknown ids and other accounts' ids alike */
export async function existingState(
  store: Pick<Store, 'findState'>,
  key: AuthenticatedKey,
  sentId: string,
  fields: Record<string, string>,
): Promise<CommandState> {
  const commandId = sentId.toLowerCase()
  fields['command_id'] = commandId
  const state = await store.findState(key.account.accountId, commandId)
  if (state === null) throw notFound('Command', commandId)
  return state
}
