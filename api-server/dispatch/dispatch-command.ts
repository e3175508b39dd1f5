import { createOrFind } from '../../common/kubernetes/create-or-find.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { isSameCommand } from './same-command.ts'
import { customResourceFor } from './to-custom-resource.ts'
import type { UndispatchedCommand } from '../../common/store/dispatch.ts'
import type { CustomResource } from './to-custom-resource.ts'
import type { DispatcherDeps } from './dispatcher.ts'

/** Short, so that one call that hangs does not hold up a batch; the next claim tries again. */
const callOptions = { deadlineMs: 5_000, retry: false }

/**
 * Makes one row's custom resource, or finds the one that an earlier try has made, and writes its UID
 * down. What the cluster will never take ends as FAILED.
 * @throws KubeError, DatabaseUnavailable: nothing is lost, the row is still without resource
 */
export async function dispatchCommand(
  deps: DispatcherDeps,
  row: UndispatchedCommand,
): Promise<void> {
  const { metrics, store } = deps
  const log = deps.logger.child({ command_id: row.commandId, account: row.accountName })
  const wanted = customResourceFor(row)
  const found = await createUnlessRefused(deps, wanted)
  if (found instanceof Error) {
    log.error('the API server refuses the custom resource', { error: found })
    return endRefused(deps, row, 'The cluster refused the command')
  }
  if (!found.created && !isSameCommand(wanted.spec, found.object.spec)) {
    log.error('another object has the name of the custom resource', { name: wanted.metadata.name })
    return endRefused(deps, row, "Another object in the cluster has the command's name")
  }
  await store.markDispatched(row.commandId, found.object.metadata.uid)
  metrics.counted(found.created ? 'created' : 'existing')
  log.info('dispatched', { created: found.created })
}

async function createUnlessRefused(deps: DispatcherDeps, wanted: CustomResource) {
  try {
    return await deps.effects.failpoint('dispatch.cr_created', () =>
      createOrFind(deps.commands, deps.namespace, wanted, callOptions),
    )
  } catch (error) {
    if (isKubeError(error, 'invalid')) return error
    throw error
  }
}

/** It would be refused for ever; whoever waits for the command is told now. */
async function endRefused(
  { store, metrics }: DispatcherDeps,
  { commandId }: UndispatchedCommand,
  errorMessage: string,
): Promise<void> {
  const outcome = { status: 'FAILED', errorStatus: 'INTERNAL_ERROR', errorMessage } as const
  const report = { commandId, attempt: null, outcome, steps: null, usage: null, logs: [] }
  await store.commitOutcome(report)
  metrics.counted('refused')
}
