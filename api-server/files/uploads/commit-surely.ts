import { DatabaseUnavailable } from '../../../common/store/health.ts'
import type { Effects, FailpointName } from '../../../common/runtime/effects.ts'

/**
 * A commit whose outcome got lost on the way back is asked for again. Only for statements that
 * change nothing when they are repeated.
 */
export async function commitSurely<T>(
  { failpoint }: Pick<Effects, 'failpoint'>,
  name: FailpointName,
  commit: () => Promise<T>,
): Promise<T> {
  try {
    return await failpoint(name, commit)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    return failpoint(name, commit)
  }
}
