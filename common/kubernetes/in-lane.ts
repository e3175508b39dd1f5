import type { KubeClient } from './client.ts'
import type { RequestLane } from './throttle/lane-order.ts'

/** A client whose calls go in this lane where they name no other. */
export function inLane(client: KubeClient, lane: RequestLane): KubeClient {
  return {
    call: (call) => client.call({ lane, ...call }),
    open: (call) => client.open({ lane, ...call }),
  }
}
