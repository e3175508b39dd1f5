import type { Result } from '../../common/gateway/messages.ts'
import { differingObjects } from '../../common/storage/differing-objects.ts'
import type { Outcome } from '../../common/store/attempts.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import { expectedObjects, outputPrefix, storageError } from '../status/stored-outputs.ts'
import type { ApplyDeps } from './apply-context.ts'

/** The runner is gone and cannot store a differing object again. */
export async function storageDifference(
  deps: Pick<ApplyDeps, 'storage'>,
  row: ReconcileRow,
  attempt: string,
  { outcome }: Result,
): Promise<Outcome | null> {
  const prefix = outputPrefix(row, attempt)
  if (outcome.status === 'FAILED' || prefix === null) return null
  const [first] = await differingObjects(deps.storage, prefix, expectedObjects(outcome))
  return first === undefined ? null : storageError(first)
}
