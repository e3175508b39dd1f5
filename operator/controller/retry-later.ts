import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'

const databaseMs = 1_000
const clusterMs = 3_000

/**
 * How soon to look again after an error that says nothing about the command: the database or the
 * API server is away. The queue's own delay grows to minutes, and work that grew old in an outage
 * would then wait long after its end.
 * @returns null for an error that is about this command
 */
export function retryLaterMs(error: unknown, random: number): number | null {
  if (error instanceof DatabaseUnavailable) return databaseMs * (1 + random)
  if (!isKubeError(error, 'transient', 'throttled')) return null
  return Math.max(clusterMs, error.retryAfterMs ?? 0) * (1 + random)
}
