import { createOrFind } from '../../common/kubernetes/create-or-find.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { isSameCommand } from './same-command.ts'
import { isSameStoredFile, storedFileResourceFor } from './stored-file-resource.ts'
import { customResourceFor } from './to-custom-resource.ts'
import type { KubeObject, Resource } from '../../common/kubernetes/resource.ts'
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
  const made = await make(deps, row)
  if (made instanceof Error) {
    log.error('the API server refuses the custom resource', { error: made })
    return endRefused(deps, row, 'The cluster refused the command')
  }
  if (!made.isOurs) {
    log.error('another object has the name of the custom resource', { name: made.name })
    return endRefused(deps, row, "Another object in the cluster has the command's name")
  }
  await store.markDispatched(row.commandId, made.uid)
  metrics.counted(made.created ? 'created' : 'existing')
  log.info('dispatched', { created: made.created })
}

interface Made {
  readonly name: string
  readonly uid: string
  readonly created: boolean
  /** False where the name was taken by something that we would not have made. */
  readonly isOurs: boolean
}

function make(deps: DispatcherDeps, row: UndispatchedCommand): Promise<Made | Error> {
  const { storedFile } = row.source
  if (storedFile === undefined) {
    return makeIn(deps, deps.commands, customResourceFor(row), isSameCommand)
  }
  const wanted = storedFileResourceFor(row, storedFile)
  return makeIn(deps, deps.storedFiles, wanted, isSameStoredFile)
}

async function makeIn<Spec>(
  deps: DispatcherDeps,
  resource: Resource<KubeObject & { readonly spec: Spec }>,
  wanted: CustomResource<Spec>,
  isSame: (wanted: Spec, found: Spec) => boolean,
): Promise<Made | Error> {
  try {
    const { object, created } = await deps.effects.failpoint('dispatch.cr_created', () =>
      createOrFind(resource, deps.namespace, wanted, callOptions),
    )
    const { name, uid } = object.metadata
    return { name, uid, created, isOurs: created || isSame(wanted.spec, object.spec) }
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
