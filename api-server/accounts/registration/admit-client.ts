import { refusal } from '../../http/errors.ts'
import { clientNetwork } from './client-network.ts'
import type { OpenEndpoint } from '../../http/endpoint.ts'
import type { RegistrationDeps } from './registration.ts'

/** Counted in the database, so that the figure holds over all replicas. @throws Refusal 429 */
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
