import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '../controls/icons.tsx'
import { say } from '../parts/notices.ts'
import { hasEnded, shownState } from '../parts/state.ts'
import { keepLive, onConnect, onEvents } from '../shell/live.ts'
import { go } from '../shell/navigation.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

type Ending = Pick<
  CommandStatusRecord,
  'command_id' | 'status' | 'error_status' | 'processing_stage'
>

/** Names of commands whose end makes a notification, by their ids. */
const wanted = signal<ReadonlyMap<string, string>>(new Map())

/** Plain http is not a secure context and has no notifications. */
const isPossible = isSecureContext && 'Notification' in globalThis

interface Props {
  readonly id: string
  readonly name: string
}

/** A notification at the end, for which the stream of events stays open while the tab is hidden. */
export function TellWhenEnded({ id, name }: Props) {
  const isWanted = wanted.value.has(id)
  useEffect(() => (isWanted ? keepLive() : undefined), [isWanted])
  if (!isPossible) return null
  const toggle = async () => {
    const next = new Map(wanted.value)
    if (next.delete(id)) {
      wanted.value = next
      return
    }
    if ((await Notification.requestPermission()) !== 'granted') {
      return say('The browser does not let this page send notifications.', true)
    }
    wanted.value = next.set(id, name)
  }
  return (
    <button type="button" class="button" aria-pressed={isWanted} onClick={() => void toggle()}>
      <Icon name={isWanted ? 'done' : 'bell'} />
      {isWanted ? 'Notification is on' : 'Tell me when it ends'}
    </button>
  )
}

/** @returns a function that ends it */
export function followEnds(client: Client): () => void {
  const stop = new AbortController()
  const stopEvents = onEvents((events) => events.forEach(tell))
  // A stream begins with what has not ended, so an end before that is in the record alone.
  const readAll = () => {
    for (const id of wanted.peek().keys()) void read(id)
  }
  const stopConnections = onConnect(readAll)
  const stopWanted = wanted.subscribe(readAll)
  return () => {
    stop.abort()
    stopEvents()
    stopConnections()
    stopWanted()
  }

  async function read(id: string): Promise<void> {
    try {
      tell(await client.getCommand(id, {}, { signal: stop.signal }))
    } catch {
      // The notification stays wanted; the next connection reads it again.
    }
  }
}

function tell(event: Ending): void {
  if (!hasEnded(event) || !wanted.peek().has(event.command_id)) return
  const next = new Map(wanted.value)
  const name = next.get(event.command_id) ?? ''
  next.delete(event.command_id)
  wanted.value = next
  const sent = new Notification(`${shownState(event).word}: ${name}`, { tag: event.command_id })
  sent.addEventListener('click', () => {
    window.focus()
    go({ page: 'commands', id: event.command_id })
  })
}
