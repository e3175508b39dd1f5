import { createOrFind } from '../../common/kubernetes/resources/create-or-find.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import {
  kilobytes,
  largestImportedBytes,
  storedBytes,
} from '../../common/kubernetes/stored-bytes.ts'
import type { KubeObject, Resource } from '../../common/kubernetes/resources/resource.ts'
import type { UndispatchedCommand } from '../../common/store/dispatch.ts'
import { isSameCommand } from './same-command.ts'
import { isSameStoredFile, storedFileResourceFor } from './stored-file-resource.ts'
import { customResourceFor } from './to-custom-resource.ts'
import { endRefused } from './end-refused.ts'
import { errorKind } from './row-failure.ts'
import type { CustomResource } from './to-custom-resource.ts'
import type { DispatcherDeps } from './dispatcher-deps.ts'

/** Short, so that a call without an answer does not hold its place for long. */
const callOptions = { deadlineMs: 5_000, retry: false }

/**
 * Makes one row's custom resource, or finds the one that an earlier try has made, and writes its UID
 * down. What the cluster will never take ends as FAILED.
 * @throws KubeError, DatabaseUnavailable: nothing is lost, the row is still without resource
 */
export async function dispatchCommand(
  deps: DispatcherDeps,
  row: UndispatchedCommand,
): Promise<'created' | 'existing' | 'refused'> {
  const { storedFile } = row.source
  if (storedFile === undefined) {
    return dispatchTo(deps, row, {
      resource: deps.commands,
      wanted: customResourceFor(row),
      isSame: isSameCommand,
    })
  }
  return dispatchTo(deps, row, {
    resource: deps.storedFiles,
    wanted: storedFileResourceFor(row, storedFile),
    isSame: isSameStoredFile,
  })
}

interface Target<Spec> {
  readonly resource: Resource<KubeObject & { readonly spec: Spec }>
  readonly wanted: CustomResource<Spec>
  readonly isSame: (wanted: Spec, found: Spec) => boolean
}

async function dispatchTo<Spec>(
  deps: DispatcherDeps,
  row: UndispatchedCommand,
  { resource, wanted, isSame }: Target<Spec>,
): Promise<'created' | 'existing' | 'refused'> {
  const bytes = storedBytes(wanted)
  if (bytes > largestImportedBytes) {
    deps.metrics.oversized()
    return endRefused(deps, row, {
      code: 'too_large',
      errorMessage: `The command takes ${kilobytes(bytes)} KB in the cluster, at most ${kilobytes(largestImportedBytes)} KB`,
    })
  }
  const made = await make(deps, { resource, wanted, isSame })
  if (made instanceof Error) {
    const errorMessage = `The cluster refused the command: ${errorKind(made)}`
    return endRefused(deps, row, { code: '422', errorMessage, error: made })
  }
  if (!made.isOurs) {
    const errorMessage = "Another object in the cluster has the command's name"
    return endRefused(deps, row, { code: 'name_taken', errorMessage })
  }
  await deps.store.markDispatched(row.commandId, made.uid)
  const result = made.created ? 'created' : 'existing'
  deps.metrics.counted(result)
  const { commandId: command_id, accountName: account } = row
  deps.logger.info('dispatched', { command_id, account, created: made.created })
  return result
}

interface Made {
  readonly uid: string
  readonly created: boolean
  /** False where the name was taken by something that we would not have made. */
  readonly isOurs: boolean
}

async function make<Spec>(
  deps: DispatcherDeps,
  { resource, wanted, isSame }: Target<Spec>,
): Promise<Made | Error> {
  try {
    const { object, created } = await deps.effects.failpoint('dispatch.cr_created', () =>
      createOrFind(resource, deps.namespace, wanted, callOptions),
    )
    const isOurs = created || isSame(wanted.spec, object.spec)
    return { uid: object.metadata.uid, created, isOurs }
  } catch (error) {
    // The schema or a policy refuses this object: no later try has another answer.
    if (isKubeError(error) && error.status === 422) return error
    throw error
  }
}
