import { Icon } from '../parts/icons.tsx'
import { now } from '../parts/now.ts'
import { age } from '../parts/relative-time.ts'
import { href } from '../shell/navigation.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import type { ComponentChildren } from 'preact'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { WebhookDelivery } from '../../common/openapi/openapi-types.ts'

interface Props {
  readonly client: Client
  readonly delivery: WebhookDelivery
  readonly isOpen: boolean
  readonly isSending: boolean
  readonly toggle: () => void
  readonly sendAgain: () => void
}

const states = {
  PENDING: { word: 'Waiting', icon: 'queued', tone: 'muted' },
  DELIVERED: { word: 'Delivered', icon: 'done', tone: 'good' },
  FAILED: { word: 'Failed', icon: 'failed', tone: 'bad' },
} as const

/** One event, what was answered, and what happens next. */
export function DeliveryRow({ client, delivery, isOpen, isSending, toggle, sendAgain }: Props) {
  const { webhook_id: id, status, event, attempts } = delivery
  const { word, icon, tone } = states[status]
  const last = attempts.at(-1)
  return (
    <li class="delivery">
      <div class="delivery-line">
        <button
          type="button"
          class="delivery-head"
          aria-expanded={isOpen}
          aria-controls={`details-${id}`}
          onClick={toggle}
        >
          <span class={isOpen ? 'twist open' : 'twist'}>
            <Icon name="next" />
          </span>
          <span class={`state ${tone}`}>
            <Icon name={icon} />
            <span class="word">{isSending ? 'Sending' : word}</span>
            {last !== undefined && (
              <span class="number">{last.response_status ?? 'no answer'}</span>
            )}
          </span>
          <span class="mono">{event}</span>
          <span class="muted number delivery-facts">{factsOf(delivery)}</span>
        </button>
        <About delivery={delivery} />
        <button type="button" class="button" disabled={isSending} onClick={sendAgain}>
          Send again
        </button>
      </div>
      {isOpen && (
        <div id={`details-${id}`} class="delivery-details">
          <DeliveryDetails key={attempts.length} client={client} delivery={delivery} />
        </div>
      )}
    </li>
  )
}

/** Link to what the event is about. */
function About({ delivery }: { readonly delivery: WebhookDelivery }): ComponentChildren {
  const { command_id: command, file_id: file } = delivery
  if (command !== null) {
    return (
      <a class="mono" href={href({ page: 'command', id: command })} title={command}>
        {short(command)}
      </a>
    )
  }
  if (file === null) return null
  const query = new URLSearchParams({ open: file })
  return (
    <a class="mono" href={href({ page: 'files', query })} title={file}>
      {short(file)}
    </a>
  )
}

/** Both ends of an id tell two apart. */
function short(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-6)}`
}

function factsOf({ attempts, next_attempt_at: next, created_at: made }: WebhookDelivery): string {
  const tries = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`
  const parts = [`${age(made, now.value)} ago`, tries]
  if (next !== null && attempts.length > 0) {
    const ms = Date.parse(next) - now.value
    parts.push(
      ms > 0 ? `next in ${age(new Date(now.value).toISOString(), Date.parse(next))}` : 'next now',
    )
  }
  return parts.join(' · ')
}
