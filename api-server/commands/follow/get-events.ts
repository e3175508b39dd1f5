import { endpoint } from '../../http/endpoint.ts'
import { timestamp, timestampOrNull } from '../../http/format.ts'
import { streamHeaders } from '../../http/send-stream.ts'
import { commentEveryMs, keyError, reconnect } from './get-command-events.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { AccountEvent } from '../../../common/openapi/openapi-types.ts'
import type { LiveCommand } from '../../../common/store/command-states.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { OpenStream, Streams } from './streams.ts'
import type { AccountWatch } from './watch-accounts.ts'

interface Deps {
  readonly watch: AccountWatch
  readonly clock: Clock
  readonly streams: Streams
}

/** `GET /v1/events`: the states of all commands of the account. */
export function getEvents(deps: Deps): Endpoint {
  return endpoint('getEvents', async (_call, context) => {
    const { accountId } = context.key.account
    const open = deps.streams.open('events', context)
    return {
      status: 200,
      body: undefined,
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8', ...streamHeaders },
      release: open.release,
      stream: (gone) => events(deps, accountId, open.begin(gone)),
    }
  })
}

async function* events(
  { watch, clock }: Deps,
  accountId: string,
  { signal, why }: ReturnType<OpenStream['begin']>,
): AsyncGenerator<string> {
  const followed = watch.follow(accountId)
  const shown = new Map<string, string>()
  try {
    let hasBegun = false
    let commentAt = clock.monotonicMs() + commentEveryMs
    while (!signal.aborted) {
      const waitMs = Math.max(0, commentAt - clock.monotonicMs())
      const changed = await followed.changes(waitMs, signal)
      const text = (changed ?? []).map((one) => news(one, shown)).join('')
      // Every change after this is sent, so what a client reads from here on is not stale.
      if (changed !== null && !hasBegun) yield ': connected\n\n'
      hasBegun ||= changed !== null
      if (text !== '') yield text
      if (clock.monotonicMs() < commentAt || signal.aborted) continue
      // Proxies close idle connections.
      yield ': waiting\n\n'
      commentAt += commentEveryMs
    }
    if (why() === 'age') yield reconnect
    if (why() === 'key') yield keyError
  } finally {
    followed.close()
  }
}

/** Empty if the change is not visible. */
function news(command: LiveCommand, shown: Map<string, string>): string {
  const { timestamp: readAt, ...visible } = eventOf(command)
  const text = JSON.stringify(visible)
  if (shown.get(command.commandId) === text) return ''
  if (command.finishedAt === null) shown.set(command.commandId, text)
  else shown.delete(command.commandId)
  return `event: command\ndata: ${JSON.stringify({ ...visible, timestamp: readAt })}\n\n`
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
