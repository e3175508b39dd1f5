import type { Action } from './actions.ts'
import { isSuspendedByQueue } from '../observe/job-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { Round } from './round.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * What Kueue admits at once it resumes within a second or two. A Job that is suspended for longer waits
 * for others, and must not keep the account's next commands out of the queue.
 */
const graceSeconds = 15

/**
 * A command whose Job waits suspended gives the vCPUs of its account back, and has them again when Kueue
 * resumes it. After an eviction they are free as soon as no pod is left.
 */
export function quotaActions(
  { elapsed, pods }: Snapshot,
  { row, job }: Round,
): { readonly actions: readonly Action[]; readonly againSeconds: number | null } {
  const nothing = { actions: [], againSeconds: null }
  if (job === null) return nothing
  if (!isSuspendedByQueue(job)) {
    return row.suspended ? { ...nothing, actions: [{ kind: 'resumeQuota' }] } : nothing
  }
  const lives = pods.some((pod) => !isTerminal(pod) && !row.lostAttempts.includes(pod.metadata.uid))
  if (row.suspended || row.attempt !== null || lives) return nothing
  const left = row.evictions > 0 ? 0 : graceSeconds - elapsed.suspended
  if (left > 0) return { ...nothing, againSeconds: left }
  return { ...nothing, actions: [{ kind: 'suspendQuota' }] }
}
