import type { Leader, LeaderDeps } from '../machinery/election/leader.ts'

/** Leads from the start to the end, without a Lease. */
export function permanentLeader({ lead }: Pick<LeaderDeps, 'lead'>): Leader {
  return {
    run: (signal) =>
      lead({ signal, lost: new AbortController().signal, mustHold: () => undefined }),
    isLeader: () => true,
    leaderAddress: () => null,
  }
}
