import { endpoint } from '../../http/endpoint.ts'
import { timestamp } from '../../http/format.ts'
import { streamHeaders } from '../../http/send-stream.ts'
import { isFinal } from '../../../common/domain/states.ts'
import { keyEnded } from './streams.ts'
import { existingState } from './watch-commands.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { CommandState } from '../../../common/store/command-states.ts'
import type { Store } from '../../../common/store/store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { CommandEvent } from '../../../common/openapi/openapi-types.ts'
import type { CommandWatch } from './watch-commands.ts'
import type { OpenStream, Streams } from './streams.ts'

interface Deps {
  readonly store: Pick<Store, 'findState'>
  readonly watch: CommandWatch
  readonly clock: Clock
  readonly streams: Streams
}

export const commentEveryMs = 15_000

/** `GET /v1/commands/{command_id}/events`: server-sent events, see https://html.spec.whatwg.org/multipage/server-sent-events.html. */
export function getCommandEvents(deps: Deps): Endpoint {
  return endpoint('getCommandEvents', async ({ path }, context) => {
    const { key, fields } = context
    const first = await existingState(deps.store, key, path.command_id, fields)
    const open = deps.streams.open('events', context)
    return {
      status: 200,
      body: undefined,
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8', ...streamHeaders },
      release: open.release,
      stream: (gone) => events(deps, first, open.begin(gone)),
    }
  })
}

/** After this process ends, the client reconnects and gets the present state first. */
async function* events(
  { watch, clock }: Deps,
  first: CommandState,
  { signal, why }: ReturnType<OpenStream['begin']>,
): AsyncGenerator<string> {
  const followed = watch.follow(first)
  try {
    let shown = ''
    let commentAt = clock.monotonicMs() + commentEveryMs
    while (!signal.aborted) {
      const state = followed.state()
      const { timestamp: _, ...visible } = eventOf(state)
      if (JSON.stringify(visible) !== shown) {
        shown = JSON.stringify(visible)
        yield `event: status\ndata: ${JSON.stringify(eventOf(state))}\n\n`
      }
      if (isFinal(state.status)) return
      await followed.newer(state.version, Math.max(0, commentAt - clock.monotonicMs()), signal)
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

/** Browsers' EventSource then reconnects after a second. */
export const reconnect = 'retry: 1000\n\n'
export const keyError = `event: error\ndata: ${JSON.stringify({ status: 401, detail: keyEnded })}\n\n`

function eventOf(state: CommandState): CommandEvent {
  return {
    command_id: state.commandId,
    status: state.status,
    processing_stage: state.stage,
    progress_percent: state.progressPercent,
    attempts: state.attempts,
    error_status: state.errorStatus,
    timestamp: timestamp(state.readAt),
  }
}
