import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { say } from '../parts/notices.tsx'
import { hasEnded, shownState } from '../parts/state.ts'
import { keepLive, onEvents } from '../shell/live.ts'
import { go } from '../shell/navigation.ts'
import type { AccountEvent } from '../../common/openapi/openapi-types.ts'

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
export function followEnds(): () => void {
  return onEvents((events) => {
    for (const event of events) if (wanted.value.has(event.command_id)) tell(event)
  })
}

function tell(event: AccountEvent): void {
  if (!hasEnded(event)) return
  const next = new Map(wanted.value)
  const name = next.get(event.command_id) ?? ''
  next.delete(event.command_id)
  wanted.value = next
  const sent = new Notification(`${shownState(event).word}: ${name}`, { tag: event.command_id })
  sent.addEventListener('click', () => {
    window.focus()
    go({ page: 'command', id: event.command_id })
  })
}
