import { age, duration } from '../parts/relative-time.ts'
import type { Answers, WebhookDelivery } from '../../common/openapi/openapi-types.ts'

type Facts = Pick<WebhookDelivery, 'attempts' | 'next_attempt_at' | 'created_at'>

/** Age, attempts and the next one: "5 min ago · 1 attempt · next in 4 min". */
export function deliveryFacts(delivery: Facts, nowMs: number): string {
  const { attempts, next_attempt_at: next, created_at: made } = delivery
  const tries = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`
  const parts = [`${age(made, nowMs)} ago`, tries]
  if (next !== null && attempts.length > 0) {
    const isLater = Date.parse(next) > nowMs
    const wait = age(new Date(nowMs).toISOString(), Date.parse(next))
    parts.push(isLater ? `next in ${wait}` : 'the next is due')
  }
  return parts.join(' · ')
}

/** Result of a delivery that was sent again. */
export function sentAgainWords({ status, attempts }: WebhookDelivery): string {
  const answer = attempts.at(-1)?.response_status ?? 'no answer'
  return status === 'DELIVERED'
    ? `Sent again and delivered: ${answer}.`
    : `Sent again, not delivered: ${answer}. Its attempts are below.`
}

type Attempt = Answers['getWebhookDelivery']['attempts'][number]

/** A redirect, or an answer that came with an error, is not a delivery. */
export function isDelivered({ response_status: status, error }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300 && error === null
}

/** "attempt 2 · 340 ms". */
export function attemptWords({ duration_ms: ms }: Attempt, number: number): string {
  const time = ms === null ? '' : ` · ${ms < 1_000 ? `${ms} ms` : duration(ms / 1_000)}`
  return `attempt ${number}${time}`
}

/** JSON with lines, for people; what was sent has none. */
export function readableBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
