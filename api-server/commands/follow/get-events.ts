import { endpoint } from '../../http/endpoint.ts'
import { timestamp, timestampOrNull } from '../../http/format.ts'
import { eventStream, eventText } from './event-stream.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { AccountEvent } from '../../../common/openapi/openapi-types.ts'
import type { LiveCommand } from '../../../common/store/command-states.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { EventSource } from './event-stream.ts'
import type { Streams } from './streams.ts'
import type { AccountWatch } from './watch-accounts.ts'

interface Deps {
  readonly watch: AccountWatch
  readonly clock: Clock
  readonly streams: Streams
}

/** `GET /v1/events`: the states of all commands of the account. */
export function getEvents({ watch, clock, streams }: Deps): Endpoint {
  return endpoint('getEvents', async (_call, context) => {
    const { accountId } = context.key.account
    const open = streams.open('events', context)
    return eventStream({ clock, open, source: () => statesOf(watch, accountId), saysBye: true })
  })
}

/** Unfinished commands, then each visible change, without an end. */
function statesOf(watch: AccountWatch, accountId: string): EventSource {
  const followed = watch.follow(accountId)
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
