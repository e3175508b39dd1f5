import type { Part } from '../common/lifecycle.ts'
import type { Controller } from './controller.ts'
import type { Leader } from './machinery/leader.ts'

/**
 * Lets the controller work while the Lease is held. Stopping ends its work first and gives the Lease
 * back then, so that the successor starts at once and finds nothing half done by a living process.
 */
export function createLeadership(deps: {
  /** Gets what its two callbacks should do. */
  readonly createLeader: (events: { onAcquired: () => void; onLost: () => void }) => Leader
  readonly controller: Controller
  /** The Lease went to somebody else: the process should end. */
  readonly onLost: () => void
}): Part & { readonly leader: Leader } {
  const stopWork = new AbortController()
  const release = new AbortController()
  let work = Promise.resolve()
  let held: Promise<unknown> = Promise.resolve()
  const leader = deps.createLeader({
    onAcquired() {
      work = deps.controller.run(stopWork.signal)
    },
    onLost() {
      stopWork.abort(new Error('the Lease is lost'))
      deps.onLost()
    },
  })
  return {
    name: 'leadership',
    leader,
    async start() {
      held = leader.run(release.signal)
    },
    async stop() {
      stopWork.abort(new Error('stopping'))
      await work
      release.abort(new Error('stopping'))
      await held
    },
  }
}
