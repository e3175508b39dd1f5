import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icons.tsx'
import { now } from '../parts/now.ts'
import { deliveryStates, shortId } from '../parts/state.ts'
import { href } from '../shell/navigation.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import { deliveryFacts } from './delivery-words.ts'
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

/** One event, what was answered, and what happens next. */
export function DeliveryRow({ client, delivery, isOpen, isSending, toggle, sendAgain }: Props) {
  const { webhook_id: id, status, event, attempts } = delivery
  const { word, icon, tone } = deliveryStates[status]
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
          <span class="muted number delivery-facts">{deliveryFacts(delivery, now.value)}</span>
        </button>
        <About delivery={delivery} />
        <Button isOff={isSending} onClick={sendAgain}>
          Send again
        </Button>
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
      <a class="mono" href={href({ page: 'commands', id: command })} title={command}>
        {shortId(command)}
      </a>
    )
  }
  if (file === null) return null
  const query = new URLSearchParams({ open: file })
  return (
    <a class="mono" href={href({ page: 'files', query })} title={file}>
      {shortId(file)}
    </a>
  )
}
