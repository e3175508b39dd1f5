import { customResourceName, storedFileKind } from '../../common/domain/resource-names.ts'
import { deleteResource } from '../apply/apply-resource.ts'
import { effect } from '../apply/apply-context.ts'
import type { ApplyDeps } from '../apply/apply-context.ts'

export interface FinishedSettings {
  /** A finished command's object stays at least this long. */
  readonly olderThanSeconds: number
  /** The newest ones are kept longer, so that `kubectl get` shows recent history. */
  readonly keepNewest: number
  readonly keepSeconds: number
}

const perRound = 500

/**
 * Finished objects are deleted one by one: deleting a collection of tens of thousands answers 504
 * after a minute. The row decides which may go, so an object is never deleted before it is recorded
 * and released.
 */
export async function sweepFinished(
  deps: ApplyDeps,
  settings: FinishedSettings,
  signal: AbortSignal,
): Promise<void> {
  const ids = await deps.store.findCollectable({ ...settings, limit: perRound })
  for (const commandId of ids) {
    if (signal.aborted) return
    await collect(deps, commandId)
  }
}

async function collect(deps: ApplyDeps, commandId: string): Promise<void> {
  const command =
    deps.caches.commandsOf(commandId)[0] ??
    (await deps.caches.commands.refresh(customResourceName(commandId))) ??
    (await deps.caches.storedFiles.refresh(customResourceName(commandId, storedFileKind)))
  // If another write came between, the next round finds it again.
  if (command !== null && (await deleteResource(deps, command)).kind !== 'done') return
  await effect(deps, 'operator.deletion_recorded', () => deps.store.markResourceDeleted(commandId))
  deps.memory.forget(commandId)
  deps.metrics.swept('resource')
}
