import { refusal } from '../../http/errors.ts'
import { clientNetwork } from '../../../common/network/client-network.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Store } from '../../../common/store/store.ts'
import type { RandomBytes } from '../secrets.ts'
import type { OpenEndpoint } from '../../http/endpoint.ts'

/** Settings of registration. */
export interface Registration {
  /** Plan of new accounts. */
  readonly plan: string
  /** Limit of each of the two calls, per client address. */
  readonly requestsPerHour: number
  readonly randomBytes: RandomBytes
  /** Notifies the outbox of a queued mail. */
  readonly wake: () => void
}

export interface RegistrationDeps {
  readonly store: Store
  readonly effects: Effects
  readonly registration: Registration
}

export const tokenSeconds = 86_400

/** Counted in the database, so that all replicas share the limit. @throws Refusal 429 */
export function admitClient(
  { store, registration }: RegistrationDeps,
  call: string,
): OpenEndpoint['admit'] {
  const { requestsPerHour } = registration
  return async ({ clientAddress }) => {
    const client = clientNetwork(clientAddress)
    const rate = { client, call, size: requestsPerHour, fillSeconds: 3_600 }
    const wait = await store.takeClientToken(rate)
    if (wait === null) return
    const seconds = Math.max(1, Math.ceil(wait))
    throw refusal(
      429,
      `Too many requests from this address: ${requestsPerHour} an hour; retry in ${seconds} s`,
      { 'Retry-After': String(seconds) },
    )
  }
}
