import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { dayAndTime } from '../parts/clock-time.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { reasonOf } from '../parts/notices.ts'
import { Icon } from '../controls/icons.tsx'
import { attemptWords, isDelivered, readableBody } from './delivery-words.ts'
import type { Answers, WebhookDelivery } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

type Details = Answers['getWebhookDelivery']

interface Props {
  readonly client: Client
  readonly delivery: WebhookDelivery
}

/** Request, and the answer to each attempt. */
export function DeliveryDetails({ client, delivery }: Props) {
  const details = useSignal<Details | null>(null)
  const problem = useSignal<unknown>(null)
  useEffect(() => {
    const stop = new AbortController()
    client.getWebhookDelivery(delivery.webhook_id, { signal: stop.signal }).then(
      (found) => (details.value = found),
      (error: unknown) => {
        if (!stop.signal.aborted) problem.value = error
      },
    )
    return () => stop.abort()
  }, [client, delivery.webhook_id, delivery.attempts.length])
  if (problem.value !== null) return <p class="problem">{reasonOf(problem.value)}</p>
  const found = details.value
  if (found === null) return <p class="late">Still asking for the delivery.</p>
  return (
    <>
      <section class="column dense">
        <h3>Attempts</h3>
        {found.attempts.length === 0 && <p class="note">None yet.</p>}
        <ol class="column">
          {found.attempts.map((attempt, index) => (
            <Attempt key={attempt.at} attempt={attempt} number={index + 1} />
          ))}
        </ol>
        {found.next_attempt_at !== null && found.attempts.length > 0 && (
          <p class="muted">Next attempt at {dayAndTime(new Date(found.next_attempt_at))}.</p>
        )}
      </section>
      <section class="column dense">
        <h3>Request</h3>
        <p class="mono wrap">POST {found.url}</p>
        {found.request_headers !== null && (
          <pre class="code" tabIndex={0} aria-label="Headers">
            {Object.entries(found.request_headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </pre>
        )}
        {found.body === null ? (
          <p class="note">
            {found.attempts.length === 0
              ? 'The body is made before the first attempt.'
              : 'The body of this event was not kept.'}
          </p>
        ) : (
          <>
            <pre class="code body" tabIndex={0} aria-label="Body">
              {readableBody(found.body)}
            </pre>
            <div class="actions">
              <CopyButton text={found.body} what="body as it was sent" worded />
            </div>
          </>
        )}
      </section>
    </>
  )
}

interface AttemptProps {
  readonly attempt: Details['attempts'][number]
  readonly number: number
}

function Attempt({ attempt, number }: AttemptProps) {
  const { at, response_status: status, error, response_excerpt: text } = attempt
  const isGood = isDelivered(attempt)
  return (
    <li class="attempt column">
      <p class="attempt-line">
        <span class={`state ${isGood ? 'good' : 'bad'}`}>
          <Icon name={isGood ? 'done' : 'failed'} />
          <span class="word">{status ?? 'No answer'}</span>
        </span>
        <span class="muted number">{attemptWords(attempt, number)}</span>
        <time class="muted" title={at}>
          {dayAndTime(new Date(at))}
        </time>
      </p>
      {error !== null && <p class="problem">{error}.</p>}
      {text !== null && (
        <pre class="code" tabIndex={0} aria-label={`Answer to attempt ${number}`}>
          {text}
        </pre>
      )}
    </li>
  )
}
