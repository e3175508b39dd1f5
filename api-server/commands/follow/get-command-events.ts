import { endpoint } from '../../http/endpoint.ts'
import { timestamp } from '../../http/format.ts'
import { isFinal } from '../../../common/domain/states.ts'
import { eventStream, eventText } from './event-stream.ts'
import { existingState } from './watch-commands.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { CommandState } from '../../../common/store/command-states.ts'
import type { Store } from '../../../common/store/store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { CommandEvent } from '../../../common/openapi/openapi-types.ts'
import type { EventSource } from './event-stream.ts'
import type { CommandWatch } from './watch-commands.ts'
import type { Streams } from './streams.ts'

interface Deps {
  readonly store: Pick<Store, 'findState'>
  readonly watch: CommandWatch
  readonly clock: Clock
  readonly streams: Streams
}

/** `GET /v1/commands/{command_id}/events`: the states of one command until its end. */
export function getCommandEvents({ store, watch, clock, streams }: Deps): Endpoint {
  return endpoint('getCommandEvents', async ({ path }, context) => {
    const { key, fields } = context
    const first = await existingState(store, key, path.command_id, fields)
    const open = streams.open('events', context)
    return eventStream({ clock, open, source: () => statesOf(watch, first), saysBye: false })
  })
}

/** The present state, then each visible change; nothing after the final state. */
function statesOf(watch: CommandWatch, first: CommandState): EventSource {
  const followed = watch.follow(first)
  let sent: CommandState | null = null
  let shown = ''
  return {
    async next(ms, signal) {
      if (sent !== null && isFinal(sent.status)) return null
      if (sent !== null) await followed.newer(sent.version, ms, signal)
      sent = followed.state()
      const { timestamp: _, ...visible } = eventOf(sent)
      if (JSON.stringify(visible) === shown) return ''
      shown = JSON.stringify(visible)
      return eventText('status', eventOf(sent))
    },
    close: () => followed.close(),
  }
}

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
