import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { UndispatchedCommand } from '../../common/store/dispatch.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import type { Breaker } from './breaker.ts'
import type { RefusalCode } from './dispatch-metrics.ts'
import type { DispatcherDeps } from './dispatcher-deps.ts'
import { endRefused } from './end-refused.ts'
import { errorKind, isDefinite, isVerdict, retrySeconds } from './row-failure.ts'

interface Failure {
  readonly error: unknown
  /** When the create began. */
  readonly startedMs: number
}

/**
 * Sets the backoff of a row whose create failed, counts the failure if the row is at fault, and ends
 * the command after enough of them. While the cluster creates nothing, the row is not changed: its
 * lease expires.
 */
export async function judgeFailure(
  deps: DispatcherDeps,
  breaker: Pick<Breaker, 'proofSince'>,
  row: UndispatchedCommand,
  { error, startedMs }: Failure,
): Promise<void> {
  deps.metrics.counted('failed')
  if (error instanceof DatabaseUnavailable) return
  const proof = await breaker.proofSince(startedMs)
  if (proof === 'away') return
  const failure = {
    commandId: row.commandId,
    tries: row.tries,
    definite: isDefinite(error, proof),
    error: error instanceof Error ? error.message : String(error),
    retrySeconds: retrySeconds(row.tries, deps.effects.random()),
  }
  const failed = await deps.effects.failpoint('dispatch.failure_recorded', () =>
    deps.store.recordDispatchFailure(failure),
  )
  if (failed === null || !failure.definite || !isVerdict(failed)) return
  const errorMessage = `The cluster refused the command: ${errorKind(error)}`
  await endRefused(deps, row, { code: codeOf(error), errorMessage, error })
}

function codeOf(error: unknown): RefusalCode {
  if (!isKubeError(error)) return 'bug'
  return error.status === null ? 'no_answer' : `${error.status}`
}
