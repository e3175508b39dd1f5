import { createHmac } from 'node:crypto'

export interface SignedMessage {
  /** `webhook-id`: the same in every attempt, so that receivers can drop duplicates. */
  readonly id: string
  /** Unix seconds of the attempt. */
  readonly timestamp: number
  readonly body: string
}

/**
 * The `webhook-signature` of Standard Webhooks: one `v1,…` for each secret, separated by blanks.
 * @param secrets `whsec_` and base64
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function webhookSignature(
  secrets: readonly string[],
  { id, timestamp, body }: SignedMessage,
): string {
  const signed = `${id}.${timestamp}.${body}`
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
    })
    .join(' ')
}
