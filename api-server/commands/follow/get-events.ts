import { endpoint } from '../../http/endpoint.ts'
import { timestamp, timestampOrNull } from '../../http/format.ts'
import { eventStream, eventText } from './event-stream.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { AccountEvent, FileEvent } from '../../../common/openapi/openapi-types.ts'
import type { LiveCommand } from '../../../common/store/command-states.ts'
import type { LiveFile } from '../../../common/store/lists/file-filters.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { EventSource } from './event-stream.ts'
import type { Streams } from './streams.ts'
import type { FollowedAccount } from './account-rows.ts'
import type { AccountWatch } from './watch-accounts.ts'

interface Deps {
  readonly watch: AccountWatch<LiveCommand>
  readonly fileWatch: AccountWatch<LiveFile>
  readonly clock: Clock
  readonly streams: Streams
}

/** `GET /v1/events`: the states of all commands of the account, and of its files if they are asked for. */
export function getEvents({ watch, fileWatch, clock, streams }: Deps): Endpoint {
  return endpoint('getEvents', async ({ query }, context) => {
    const { accountId } = context.key.account
    const open = streams.open('events', context)
    const source = () => {
      const commands = statesOf(watch.follow(accountId))
      return query.files ? both(commands, fileStatesOf(fileWatch.follow(accountId))) : commands
    }
    return eventStream({ clock, open, source, saysBye: true })
  })
}

/** Unfinished commands, then each visible change, without an end. */
function statesOf(followed: FollowedAccount<LiveCommand>): EventSource {
  const shown = new Map<string, string>()
  let hasBegun = false
  return {
    async next(ms, signal) {
      const changed = await followed.changes(ms, signal)
      if (changed === null) return ''
      // Every change after this is sent, so what a client reads from here on is not stale.
      const begin = hasBegun ? '' : ': connected\n\n'
      hasBegun = true
      return begin + changed.map((one) => news(one, shown)).join('')
    },
    close: () => followed.close(),
  }
}

/** Files that are not final, then each change. */
function fileStatesOf(followed: FollowedAccount<LiveFile>): EventSource {
  return {
    async next(ms, signal) {
      const changed = await followed.changes(ms, signal)
      return (changed ?? []).map((one) => eventText('file', fileEventOf(one))).join('')
    },
    close: () => followed.close(),
  }
}

/** Waits for either source, and loses nothing of the other. */
function both(one: EventSource, other: EventSource): EventSource {
  return {
    async next(ms, signal) {
      const woken = new AbortController()
      const wake = () => woken.abort()
      signal.addEventListener('abort', wake, { once: true })
      if (signal.aborted) wake()
      const text = async (source: EventSource) => {
        const found = await source.next(ms, woken.signal)
        // A text that is empty because of the time ends the wait of both, too.
        wake()
        return found ?? ''
      }
      const texts = await Promise.all([text(one), text(other)])
      signal.removeEventListener('abort', wake)
      return texts.join('')
    },
    close() {
      one.close()
      other.close()
    },
  }
}

/** Empty if the change is not visible. */
function news(command: LiveCommand, shown: Map<string, string>): string {
  const { timestamp: readAt, ...visible } = eventOf(command)
  const text = JSON.stringify(visible)
  if (shown.get(command.commandId) === text) return ''
  if (command.finishedAt === null) shown.set(command.commandId, text)
  else shown.delete(command.commandId)
  return eventText('command', { ...visible, timestamp: readAt })
}

function eventOf(command: LiveCommand): AccountEvent {
  return {
    command_id: command.commandId,
    status: command.status,
    processing_stage: command.stage,
    progress_percent: command.progressPercent,
    attempts: command.attempts,
    error_status: command.errorStatus,
    error_message: command.errorMessage,
    queue_position: command.queuePosition,
    queue_reason: command.queueReason,
    started_at: timestampOrNull(command.startedAt),
    finished_at: timestampOrNull(command.finishedAt),
    steps: [...command.steps],
    timestamp: timestamp(command.readAt),
  }
}

function fileEventOf({ fileId, status, commandId }: LiveFile): FileEvent {
  return { file_id: fileId, status, command_id: commandId }
}
