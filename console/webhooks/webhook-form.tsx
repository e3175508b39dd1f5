import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Check } from '../controls/choices.tsx'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { confirmed } from '../parts/confirm.tsx'
import { Icon } from '../controls/icons.tsx'
import { attempt } from '../parts/notices.ts'
import { usage } from '../shell/service.ts'
import { toggledSelection } from '../lists/selection.ts'
import { events } from './delivery-filters.ts'
import { isSaved, urlProblem } from './receiver.ts'
import type { Signal } from '@preact/signals'
import type { Answers, WebhookEvent } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { Webhook } from './receiver.ts'

interface Props {
  readonly client: Client
  readonly webhook: Webhook
  readonly change: (webhook: Webhook) => void
}

/** URL of the receiver, and the events that it gets. */
export function WebhookForm({ client, webhook, change }: Props) {
  const url = useSignal(webhook.url ?? '')
  const chosen = useSignal<ReadonlySet<WebhookEvent>>(new Set(webhook.events))
  const problem = useSignal<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const { features, plan } = usage.value ?? {}
  const refusal = features?.webhooks === false ? `Plan ${plan} has no webhooks` : null
  const save = (event: Event) => {
    event.preventDefault()
    problem.value = null
    void attempt(async () => {
      try {
        change(await client.putWebhook({ url: url.value.trim(), events: [...chosen.value] }))
      } catch (error) {
        problem.value = urlProblem(error)
        input.current?.focus()
        throw problem.value === null ? error : new Error('The URL was not saved.')
      }
      return 'Saved. Events go to this URL from now on.'
    })
  }
  const remove = () =>
    attempt(async () => {
      const yes = await confirmed({
        title: 'Remove the URL?',
        text: 'Events are not sent any more, and those that wait for another attempt end. The secret stays for the next URL.',
        verb: 'Remove the URL',
      })
      if (!yes) return 'The URL stays.'
      await client.deleteWebhook()
      url.value = ''
      const none = await client.getWebhook()
      chosen.value = new Set(none.events)
      change(none)
      return 'Removed.'
    })
  const isSame = isSaved(webhook, url.value, chosen.value)
  return (
    <form class="webhook-form column" onSubmit={save}>
      <label class="field column">
        <span>URL</span>
        <span class="with-button">
          <input
            ref={input}
            type="url"
            aria-invalid={problem.value !== null}
            aria-describedby="webhook-url-problem"
            required
            placeholder="https://app.example/hooks/ffmpeg"
            value={url.value}
            disabled={refusal !== null}
            onInput={({ currentTarget }) => (url.value = currentTarget.value)}
          />
          <button
            type="submit"
            class="button primary"
            disabled={refusal !== null || isSame || chosen.value.size === 0}
          >
            Save
          </button>
        </span>
      </label>
      <p id="webhook-url-problem" class="problem" role="alert">
        {problem.value}
      </p>
      {refusal !== null && <p class="note">{refusal}.</p>}
      <EventChoices chosen={chosen} isOff={refusal !== null} />
      {chosen.value.size === 0 && <p class="problem">Choose at least one event.</p>}
      <div class="actions">
        <TestButton client={client} disabled={webhook.url === null || refusal !== null} />
        {webhook.url !== null && (
          <Button look="quiet" onClick={remove}>
            Remove the URL
          </Button>
        )}
      </div>
    </form>
  )
}

interface EventProps {
  readonly chosen: Signal<ReadonlySet<WebhookEvent>>
  readonly isOff: boolean
}

function EventChoices({ chosen, isOff }: EventProps) {
  return (
    <fieldset class="events">
      <legend class="off-screen">Events</legend>
      {Object.entries(events).map(([name, words]) => (
        <Check
          key={name}
          isOn={chosen.value.has(name as WebhookEvent)}
          isOff={isOff}
          title={words}
          set={() => (chosen.value = toggledSelection(chosen.value, name as WebhookEvent))}
        >
          <span class="mono">{name}</span>
        </Check>
      ))}
    </fieldset>
  )
}

type Tested = Answers['testWebhook']

function TestButton({ client, disabled }: { readonly client: Client; readonly disabled: boolean }) {
  const isSending = useSignal(false)
  const tested = useSignal<Tested | null>(null)
  const test = async () => {
    isSending.value = true
    await attempt(async () => {
      const result = await client.testWebhook()
      tested.value = result
      if (!result.ok) throw new Error('The receiver did not take the test.')
      return 'The receiver took the test.'
    })
    isSending.value = false
  }
  return (
    <>
      <Button icon="bell" isOff={disabled || isSending.value} onClick={test}>
        {isSending.value ? 'Waiting for the answer' : 'Send a test'}
      </Button>
      {tested.value !== null && !isSending.value && (
        <span class={`state ${tested.value.ok ? 'good' : 'bad'}`} role="status">
          <Icon name={tested.value.ok ? 'done' : 'failed'} />
          <span class="word">{tested.value.response_status ?? 'No answer'}</span>
          <span class="muted number">in {tested.value.duration_ms} ms</span>
          {tested.value.error !== null && <span>{tested.value.error}.</span>}
        </span>
      )}
    </>
  )
}

/** The secret is on the screen only while it is asked for. */
export function Secret({ client, webhook, change }: Props) {
  const isShown = useSignal(false)
  const rotate = () =>
    attempt(async () => {
      const yes = await confirmed({
        title: 'Rotate the secret?',
        text: 'A new secret signs every event from now on. The old one signs beside it for 24 hours, so receivers have a day to take the new one.',
        verb: 'Rotate the secret',
      })
      if (!yes || webhook.url === null) return 'The secret stays.'
      const { url, events: sent } = webhook
      change(await client.putWebhook({ url, events: sent, rotate_secret: true }))
      return 'Rotated. Receivers should take the new secret within 24 hours.'
    })
  return (
    <div class="field column">
      <span id="secret-name">Secret</span>
      <div class="secret row">
        <span class="mono frame" aria-labelledby="secret-name" role="group">
          {isShown.value ? webhook.secret : 'whsec_••••••••'}
        </span>
        <button
          type="button"
          class="button"
          aria-pressed={isShown.value}
          onClick={() => (isShown.value = !isShown.value)}
        >
          {isShown.value ? 'Hide' : 'Show'}
        </button>
        <CopyButton text={webhook.secret} what="secret" worded />
        <Button
          title={webhook.url === null ? 'Save a URL first' : undefined}
          isOff={webhook.url === null}
          onClick={rotate}
        >
          Rotate
        </Button>
      </div>
      <span class="muted">It signs every event; a rotated one signs for 24 hours more.</span>
    </div>
  )
}
