import type { KubeClient } from './client.ts'

/**
 * A client whose calls are all cancelled when the signal aborts, beside their own signals. Work that has lost its right
 * to run must not sit out the deadline of a request that an API server does not answer.
 */
export function cancelledBy(client: KubeClient, signal: AbortSignal): KubeClient {
  const joined = (own?: AbortSignal): AbortSignal =>
    own === undefined ? signal : AbortSignal.any([own, signal])
  return {
    call: (call) => client.call({ ...call, signal: joined(call.signal) }),
    open: (call) => client.open({ ...call, signal: joined(call.signal) }),
  }
}
