import type { Part } from '../../common/runtime/lifecycle.ts'
import type { LeaderPlace } from '../warm/warm-runner-waiters.ts'
import type { RowChange } from './changed-commands.ts'
import type { Controller } from './controller.ts'
import type { Leader, Term } from '../machinery/election/leader.ts'

export interface Leadership extends Part {
  readonly leader: Leader
  /** Warm runners wait at the process that binds them. */
  readonly place: () => LeaderPlace
  /** A row has changed. Only the controller of a present term needs to know. */
  readonly rowChanged: (commandId: string, what?: RowChange) => void
}

/**
 * Gives every term of leadership its own controller: queue and memory of a lost term describe a
 * cluster that another leader may have changed since.
 */
export function createLeadership(deps: {
  readonly createLeader: (lead: (term: Term) => Promise<void>) => Leader
  readonly createController: (term: Term) => Controller
}): Leadership {
  const stopping = new AbortController()
  let controller: Controller | null = null
  let ended: Promise<void> = Promise.resolve()
  const leader = deps.createLeader(async (term) => {
    controller = deps.createController(term)
    await controller.run(term.signal)
    controller = null
  })
  return {
    name: 'leadership',
    leader,
    place() {
      if (leader.isLeader()) return { kind: 'here' }
      const address = leader.leaderAddress()
      return address === null ? { kind: 'unknown' } : { kind: 'elsewhere', address }
    },
    rowChanged: (commandId, what) => controller?.rowChanged(commandId, what),
    async start() {
      ended = leader.run(stopping.signal)
    },
    async stop() {
      stopping.abort(new Error('stopping'))
      await ended
    },
  }
}
