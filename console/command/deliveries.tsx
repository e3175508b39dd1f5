import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icons.tsx'
import { reasonOf } from '../parts/notices.ts'
import { now } from '../parts/now.ts'
import { clockTime } from '../parts/clock-time.ts'
import { age } from '../parts/relative-time.ts'
import { deliveryStates } from '../parts/state.ts'
import { href } from '../shell/navigation.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { WebhookDelivery } from '../../common/openapi/openapi-types.ts'

interface Props {
  readonly client: Client
  readonly id: string
}

/** Events of one command, and what their receiver answered. */
export function Deliveries({ client, id }: Props) {
  const deliveries = useSignal<readonly WebhookDelivery[] | null>(null)
  const problem = useSignal<unknown>(null)
  const read = async () => {
    try {
      deliveries.value = await client.listWebhookDeliveries({ command_id: id })
      problem.value = null
    } catch (error) {
      problem.value = error
    }
  }
  useEffect(() => void read(), [client, id])
  if (problem.value !== null) return <p class="problem">{reasonOf(problem.value)}</p>
  if (deliveries.value === null) return <p class="late">Still asking for the deliveries.</p>
  if (deliveries.value.length === 0) {
    return (
      <p class="note">
        No event of this command. Events go to the webhook of the account, or to the command's own
        webhook_url, when it has ended.
      </p>
    )
  }
  return (
    <ul class="deliveries column dense">
      {deliveries.value.map((delivery) => (
        <DeliveryView key={delivery.webhook_id} delivery={delivery} />
      ))}
      <li class="actions">
        <Button onClick={read}>Refresh</Button>
        <a
          class="button"
          href={href({ page: 'webhooks', query: new URLSearchParams({ command: id }) })}
        >
          Requests and answers
        </a>
      </li>
    </ul>
  )
}

function DeliveryView({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { status, event, url, attempts, next_attempt_at: next } = delivery
  const { word, icon, tone } = deliveryStates[status]
  return (
    <li class="column dense box">
      <p>
        <span class={`state ${tone}`}>
          <Icon name={icon} />
          <span class="word">{word}</span>
        </span>{' '}
        <span class="mono">{event}</span>
      </p>
      <p class="mono">{url}</p>
      <ol class="tries column dense">
        {attempts.map(({ at, response_status: answered, error }) => (
          <li key={at} title={at}>
            {answered ?? 'no answer'}
            {error === null ? '' : `: ${error}`} <span class="muted">{age(at, now.value)} ago</span>
          </li>
        ))}
      </ol>
      {next !== null && <p class="muted">Next attempt at {clockTime(new Date(next))}</p>}
    </li>
  )
}
