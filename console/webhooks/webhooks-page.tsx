import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Skeleton } from '../controls/skeleton.tsx'
import { Button } from '../controls/button.tsx'
import { reasonOf } from '../parts/notices.ts'
import { usage } from '../shell/service.ts'
import { Deliveries } from './deliveries.tsx'
import { Secret, WebhookForm } from './webhook-form.tsx'
import { VerifyCode } from './verify-code.tsx'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { Webhook } from './receiver.ts'

interface Props {
  readonly client: Client
  readonly query: URLSearchParams
}

/** The receiver of events, and what it answered. */
export function WebhooksPage({ client, query }: Props) {
  const webhook = useSignal<Webhook | null>(null)
  const problem = useSignal<unknown>(null)
  const read = async () => {
    try {
      webhook.value = await client.getWebhook()
      problem.value = null
    } catch (error) {
      problem.value = error
    }
  }
  useEffect(() => void read(), [client])
  const shown = webhook.value
  const change = (next: Webhook) => (webhook.value = next)
  return (
    <>
      <header class="page-head row">
        <h1>Webhooks</h1>
      </header>
      {problem.value !== null && (
        <div class="instead column middle">
          <p>{reasonOf(problem.value)}</p>
          <Button onClick={read}>Refresh</Button>
        </div>
      )}
      {problem.value === null && shown === null && (
        <Skeleton late="Still asking for the webhook." />
      )}
      {shown !== null && (
        <section class="part webhook column box" aria-label="Receiver">
          <WebhookForm client={client} webhook={shown} change={change} />
          {usage.value?.features.webhooks !== false && (
            <Secret client={client} webhook={shown} change={change} />
          )}
        </section>
      )}
      <VerifyCode />
      <Deliveries client={client} query={query} hasUrl={shown?.url !== null} />
    </>
  )
}
