import { createEachItem } from '../../common/runtime/each-item.ts'
import { planOf } from '../../common/domain/plans.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { WorkKind } from '../../common/domain/resource-names.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { Reason } from '../status/reason.ts'

/**
 * Applied objects of accounts whose queue is full: they wait in memory, without a statement or a
 * request each, and are woken in the order of their arrival when there is room.
 */
export interface ImportRoom {
  /** Objects of the account wait already, so this one waits behind them; null: it may try. */
  waitsBehind(command: ImportedFacts): Reason | null
  /** Reads the queue of the account where necessary. @returns null: there is room, which is now taken */
  take(command: ImportedFacts, account: Account): Promise<Reason | null>
  isWaiting(commandId: string): boolean
  /** Limits the writes of `QueueFull` to statuses; an object that is refused here is woken for it later. */
  mayAnnounce(commandId: string): boolean
  /** The row is there, or the object is gone. */
  forget(commandId: string): void
  /** One round: reads the queue of each account that has objects waiting, and wakes what fits. */
  look(signal: AbortSignal): Promise<void>
}

type ImportedFacts = Pick<CommandFacts, 'commandId' | 'kind' | 'account'>

/** The objects of one account and kind that wait, in order. */
interface Line {
  readonly account: string
  readonly kind: WorkKind
  readonly waiting: Set<string>
  readonly reason: Reason
  lookMs: number
  waitMs: number
}

/** A count of a queue is used for this long. */
const rememberMs = 1_000
const firstWaitMs = 5_000
const longestWaitMs = 60_000
const longestGrantMs = 60_000
/** Statuses written between two rounds: the API server is shared with all that runs. */
const announcedPerRound = 50

export function createImportRoom(deps: {
  readonly store: Pick<Store, 'readQueue' | 'findAccountByName'>
  readonly plans: Plans
  readonly clock: Clock
  readonly logger: Logger
  readonly wake: (commandId: string) => void
  readonly metrics: { importsWaiting(kind: WorkKind, objects: number): void }
}): ImportRoom {
  const { store, plans, clock } = deps
  const lines = new Map<string, Line>()
  const lineOf = new Map<string, Line>()
  /** Let in and not imported yet, by id: a count of the queue does not have them. */
  const granted = new Map<string, { readonly key: string; readonly sinceMs: number }>()
  /** Shared by all that come while the queue is read: each read alone, they would all see the last place free. */
  const counts = new Map<string, { readonly read: Promise<{ left: number }>; untilMs: number }>()
  const silent = new Set<string>()
  let announcements = announcedPerRound
  const eachLine = createEachItem({ name: 'imports', clock, logger: deps.logger })

  return {
    waitsBehind(command) {
      if (granted.has(command.commandId)) return null
      const line = lines.get(keyOf(command))
      return line === undefined ? null : join(line, command.commandId)
    },
    async take(command, account) {
      if (granted.has(command.commandId)) return null
      const { kind } = command
      const limit = limitOf(kind, account)
      if (limit === null) return null
      const key = keyOf(command)
      const count = await countOf(key, kind, account, limit)
      if (count.left > 0) {
        count.left -= 1
        granted.set(command.commandId, { key, sinceMs: clock.monotonicMs() })
        return null
      }
      const line = lines.get(key) ?? {
        account: command.account,
        kind,
        waiting: new Set<string>(),
        reason: queueFull(kind, account, limit),
        waitMs: firstWaitMs,
        lookMs: clock.monotonicMs() + firstWaitMs,
      }
      lines.set(key, line)
      return join(line, command.commandId)
    },
    isWaiting: (commandId) => lineOf.has(commandId),
    mayAnnounce(commandId) {
      if (announcements <= 0) {
        silent.add(commandId)
        return false
      }
      announcements -= 1
      return true
    },
    forget(commandId) {
      granted.delete(commandId)
      leave(commandId)
    },
    async look(signal) {
      const nowMs = clock.monotonicMs()
      for (const [key, { untilMs }] of counts) if (untilMs <= nowMs) counts.delete(key)
      // One whose object went at this moment would take a place for good.
      for (const [commandId, { sinceMs }] of granted) {
        if (sinceMs + longestGrantMs <= nowMs) granted.delete(commandId)
      }
      const due = [...lines.values()].filter(({ lookMs }) => lookMs <= nowMs)
      await eachLine.run(due, {
        work: wakeWhatFits,
        postpone,
        describe: ({ account }) => ({ account }),
        signal,
      })
      announcements = announcedPerRound
      for (const commandId of [...silent].slice(0, announcedPerRound)) {
        silent.delete(commandId)
        deps.wake(commandId)
      }
      for (const kind of ['FfmpegCommand', 'StoredFile'] as const) {
        const own = [...lines.values()].filter((line) => line.kind === kind)
        deps.metrics.importsWaiting(
          kind,
          own.reduce((sum, { waiting }) => sum + waiting.size, 0),
        )
      }
    },
  }

  function join(line: Line, commandId: string): Reason {
    line.waiting.add(commandId)
    lineOf.set(commandId, line)
    return line.reason
  }

  function leave(commandId: string): void {
    const line = lineOf.get(commandId)
    if (line === undefined) return
    line.waiting.delete(commandId)
    lineOf.delete(commandId)
    silent.delete(commandId)
    if (line.waiting.size === 0) lines.delete(keyOf(line))
  }

  async function wakeWhatFits(line: Line): Promise<void> {
    const account = await store.findAccountByName(line.account)
    const limit = account === null ? null : limitOf(line.kind, account)
    const count =
      account === null || limit === null
        ? { left: Infinity }
        : await countOf(keyOf(line), line.kind, account, limit)
    const fits = [...line.waiting].slice(0, Math.max(0, count.left))
    if (fits.length === 0) return postpone(line)
    count.left -= fits.length
    line.waitMs = firstWaitMs
    line.lookMs = clock.monotonicMs() + firstWaitMs
    for (const commandId of fits) {
      leave(commandId)
      granted.set(commandId, { key: keyOf(line), sinceMs: clock.monotonicMs() })
      deps.wake(commandId)
    }
  }

  async function countOf(key: string, kind: WorkKind, account: Account, limit: number) {
    const nowMs = clock.monotonicMs()
    const known = counts.get(key)
    if (known !== undefined && known.untilMs > nowMs) return known.read
    const underWay = [...granted.values()].filter((each) => each.key === key).length
    const read = store
      .readQueue(account.accountId, listOf(kind))
      .then(({ queued }) => ({ left: limit - queued - underWay }))
    const counted = { read, untilMs: nowMs + rememberMs }
    counts.set(key, counted)
    try {
      return await read
    } catch (error) {
      if (counts.get(key) === counted) counts.delete(key)
      throw error
    }
  }

  function postpone(line: Line): void {
    line.lookMs = clock.monotonicMs() + line.waitMs
    line.waitMs = Math.min(longestWaitMs, line.waitMs * 2)
  }

  function limitOf(kind: WorkKind, account: Account): number | null {
    const plan = planOf(plans, account)
    return kind === 'FfmpegCommand' ? plan.maxQueued : plan.maxQueuedFiles
  }
}

function keyOf({ account, kind }: Pick<CommandFacts, 'account' | 'kind'>): string {
  return `${kind} ${account}`
}

function listOf(kind: WorkKind): 'commands' | 'files' {
  return kind === 'FfmpegCommand' ? 'commands' : 'files'
}

function queueFull(kind: WorkKind, { plan }: Account, limit: number): Reason {
  return {
    reason: 'QueueFull',
    message: `Queue full: plan '${plan}' lets ${limit} ${listOf(kind)} wait; this one is taken in when there is room`,
  }
}
