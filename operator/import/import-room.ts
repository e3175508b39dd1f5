import type { Registry } from 'prom-client'
import { gauge } from '../../common/runtime/metrics.ts'
import { createEachItem } from '../../common/runtime/each-item.ts'
import type { WorkKind } from '../../common/domain/resource-names.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { Reason } from '../status/reason.ts'
import { createImportLines, lookSoon, postpone } from './import-lines.ts'
import type { Line } from './import-lines.ts'
import { createQueuePlaces, listOf } from './queue-places.ts'
import type { QueuePlacesDeps } from './queue-places.ts'

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
  /** Reads the queue of each account that has objects waiting, and wakes as many as it has room for. */
  wakeThatFit(signal: AbortSignal): Promise<void>
}

type ImportedFacts = Pick<CommandFacts, 'commandId' | 'kind' | 'account'>

export interface ImportRoomDeps extends QueuePlacesDeps {
  readonly store: Pick<Store, 'readQueue' | 'findAccountByName'>
  readonly logger: Logger
  readonly wake: (commandId: string) => void
  readonly metrics: ImportMetrics
}

export interface ImportMetrics {
  importsWaiting(kind: WorkKind, objects: number): void
}

export function createImportMetrics(registry: Registry): ImportMetrics {
  const imports = gauge(
    registry,
    'imports_waiting',
    'Applied objects without a record that wait because the queue of their account is full.',
    ['kind'],
  )
  return { importsWaiting: (kind, objects) => imports.labels(kind).set(objects) }
}

/** Statuses written between two passes: the API server is shared with all that runs. */
const announcedPerPass = 50
const kinds: readonly WorkKind[] = ['FfmpegCommand', 'StoredFile']

export function createImportRoom(deps: ImportRoomDeps): ImportRoom {
  const { store, clock, wake, metrics } = deps
  const lines = createImportLines()
  const places = createQueuePlaces(deps)
  const silent = new Set<string>()
  let announcements = announcedPerPass
  const eachLine = createEachItem({ name: 'imports', clock, logger: deps.logger })

  return {
    waitsBehind(command) {
      if (places.isGranted(command.commandId)) return null
      const line = lines.lineOf(command)
      return line === null ? null : lines.join(line, command.commandId)
    },
    async take(command, account) {
      const { commandId, kind } = command
      if (places.isGranted(commandId)) return null
      const limit = places.limitOf(kind, account)
      if (limit === null) return null
      const count = await places.count(command, account, limit)
      if (count.left > 0) {
        count.left -= 1
        places.grant(commandId, command)
        return null
      }
      const line = lines.begin(command, queueFull(kind, account, limit), clock.monotonicMs())
      return lines.join(line, commandId)
    },
    isWaiting: (commandId) => lines.isWaiting(commandId),
    mayAnnounce(commandId) {
      if (announcements <= 0) {
        silent.add(commandId)
        return false
      }
      announcements -= 1
      return true
    },
    forget(commandId) {
      places.forget(commandId)
      leave(commandId)
    },
    async wakeThatFit(signal) {
      places.forgetOld()
      await eachLine.run(lines.due(clock.monotonicMs()), {
        work: wakeFirst,
        postpone: (line) => postpone(line, clock.monotonicMs()),
        describe: ({ account }) => ({ account }),
        signal,
      })
      announcements = announcedPerPass
      for (const commandId of [...silent].slice(0, announcedPerPass)) {
        silent.delete(commandId)
        wake(commandId)
      }
      for (const kind of kinds) metrics.importsWaiting(kind, lines.size(kind))
    },
  }

  async function wakeFirst(line: Line): Promise<void> {
    const account = await store.findAccountByName(line.account)
    const limit = account === null ? null : places.limitOf(line.kind, account)
    const isLimited = account !== null && limit !== null
    const count = isLimited ? await places.count(line, account, limit) : { left: Infinity }
    const fits = [...line.waiting].slice(0, Math.max(0, count.left))
    if (fits.length === 0) return postpone(line, clock.monotonicMs())
    count.left -= fits.length
    lookSoon(line, clock.monotonicMs())
    for (const commandId of fits) {
      leave(commandId)
      places.grant(commandId, line)
      wake(commandId)
    }
  }

  function leave(commandId: string): void {
    lines.leave(commandId)
    silent.delete(commandId)
  }
}

function queueFull(kind: WorkKind, { plan }: Account, limit: number): Reason {
  return {
    reason: 'QueueFull',
    message: `Queue full: plan '${plan}' lets ${limit} ${listOf(kind)} wait; this one is taken in when there is room`,
  }
}
