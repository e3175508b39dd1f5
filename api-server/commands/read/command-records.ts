import { BoundedMap } from '../../../common/bounded/bounded-map.ts'
import { etagOf } from '../../http/etag.ts'
import { jsonLine } from '../../http/errors.ts'
import { isFinal } from '../../../common/domain/states.ts'
import { createVersionCheck } from './version-check.ts'
import { statusRecord } from './view.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { CommandRecord } from '../../../common/store/commands.ts'
import type { Store } from '../../../common/store/store.ts'
import type { FileUrls } from '../../files/file-urls.ts'
import type { PauseWatch } from '../../limits/pause-watch.ts'
import type { QueuePlaceOf } from './queue-places.ts'
import type { Endpoint } from '../../http/endpoint.ts'

/** Cache of status records. */
export interface CommandRecords {
  /** null if the account has no command with this id. */
  read(accountId: string, commandId: string): Promise<ShownCommand | null>
  /** Invalidates a command that this process has changed. */
  forget(accountId: string, commandId: string): void
  /** Invalidates all commands of the account. */
  forgetAccount(accountId: string): void
}

export interface ShownCommand {
  readonly command: CommandRecord
  /** The record as JSON, without presigned URLs. */
  readonly text: string
  readonly etag: string
}

interface Deps {
  readonly store: Pick<Store, 'findCommand' | 'findChanged'>
  readonly fileUrls: FileUrls
  readonly queuePlaceOf: QueuePlaceOf
  readonly pauses: Pick<PauseWatch, 'current'>
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly rememberMs: number
}

interface Read {
  readonly shown: ShownCommand | null
  readonly checkedAtMs: number
}

interface Remembered {
  readonly shown: ShownCommand
  readonly checkedAtMs: number
}

/** Maximum number of records; the oldest are evicted. A typical record has 4 KiB. */
const mostRemembered = 10_000

/**
 * Cache of command records for polling clients; nine of ten polls find nothing new. `rememberMs` is
 * the TTL since a record was read or found unchanged. Then one statement reads the versions of all
 * records requested at the time, and only those that have changed are read again. Concurrent polls
 * of one command share a read. With a TTL of 0, every poll reads the database.
 */
export function createCommandRecords(deps: Deps): CommandRecords {
  const { store, clock, rememberMs } = deps
  const hasChanged = createVersionCheck(store)
  const remembered = new BoundedMap<string, Remembered>(mostRemembered)
  const reading = new Map<string, Promise<Read>>()
  const keyOf = (accountId: string, commandId: string) => `${accountId}/${commandId}`

  return {
    read(accountId, commandId) {
      if (rememberMs === 0) return readNow(accountId, commandId)
      const key = keyOf(accountId, commandId)
      const known = remembered.get(key)
      const nowMs = clock.monotonicMs()
      if (known !== undefined && nowMs - known.checkedAtMs < rememberMs) {
        return Promise.resolve(known.shown)
      }
      return shared(key, () => refresh({ accountId, commandId }, known))
    },
    forget(accountId, commandId) {
      const key = keyOf(accountId, commandId)
      remembered.delete(key)
      reading.delete(key)
    },
    forgetAccount(accountId) {
      const mine = (key: string) => key.startsWith(`${accountId}/`)
      for (const key of remembered.keys()) if (mine(key)) remembered.delete(key)
      for (const key of reading.keys()) if (mine(key)) reading.delete(key)
    },
  }

  async function shared(key: string, read: () => Promise<Read>): Promise<ShownCommand | null> {
    const underWay = reading.get(key) ?? read()
    reading.set(key, underWay)
    try {
      const { shown, checkedAtMs } = await underWay
      // Unless invalidated meanwhile: the read may be from before the change.
      if (shown !== null && reading.get(key) === underWay) {
        remember(key, { shown, checkedAtMs })
      }
      return shown
    } finally {
      if (reading.get(key) === underWay) reading.delete(key)
    }
  }

  async function refresh(
    { accountId, commandId }: { accountId: string; commandId: string },
    known: Remembered | undefined,
  ): Promise<Read> {
    const checkedAtMs = clock.monotonicMs()
    const holds =
      known !== undefined &&
      isAsVersionSays(known.shown) &&
      !(await hasChanged(known.shown.command))
    return { shown: holds ? known.shown : await readNow(accountId, commandId), checkedAtMs }
  }

  function remember(key: string, one: Remembered): void {
    remembered.delete(key)
    remembered.set(key, one)
  }

  async function readNow(accountId: string, commandId: string): Promise<ShownCommand | null> {
    const found = await store.findCommand(accountId, commandId)
    return found === null ? null : show(found)
  }

  async function show(found: CommandRecord): Promise<ShownCommand> {
    const command = { ...found, queuePosition: await deps.queuePlaceOf(found) }
    const urlOf = await deps.fileUrls(command.files, 0)
    const text = jsonLine(statusRecord(command, urlOf, deps.pauses.current()))
    return { command, text, etag: etagOf(text) }
  }
}

/** The queue position changes without a new version of the row. */
function isAsVersionSays({ command }: ShownCommand): boolean {
  return isFinal(command.status) || command.queuePosition === null
}

/** Wraps a call that changes files, which records of commands contain. */
export function forgetAfter(
  records: Pick<CommandRecords, 'forgetAccount'>,
  endpoint: Endpoint,
): Endpoint {
  return {
    ...endpoint,
    async answer(request, context) {
      try {
        return await endpoint.answer(request, context)
      } finally {
        // Invalidate on error too: the write may have committed before the error.
        records.forgetAccount(context.key.account.accountId)
      }
    },
  }
}
