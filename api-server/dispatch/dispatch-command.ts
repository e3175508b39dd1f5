import { createOrFind } from '../../common/kubernetes/resources/create-or-find.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import {
  kilobytes,
  largestCreatedBytes,
  largestStoredFileBytes,
  storedBytes,
} from '../../common/kubernetes/stored-bytes.ts'
import type { KubeObject, Resource } from '../../common/kubernetes/resources/resource.ts'
import type { UndispatchedCommand } from '../../common/store/dispatch.ts'
import type { FfmpegCommandSpec } from '../../crds/ffmpegcommand.ts'
import { isSameCommand } from './resource/same-command.ts'
import { isSameStoredFile, storedFileResourceFor } from './resource/stored-file-resource.ts'
import { customResourceFor, isSmall, referringResourceFor } from './resource/to-custom-resource.ts'
import { endRefused } from './end-refused.ts'
import { errorKind } from './row-failure.ts'
import type { CustomResource } from './resource/to-custom-resource.ts'
import type { DispatcherDeps } from './dispatcher-deps.ts'

/** Short, so that a call without an answer does not occupy its slot for long. */
const callOptions = { deadlineMs: 5_000, retry: false }

/**
 * Creates the custom resource of a row, or finds that of an earlier attempt, and records its UID. A
 * permanent rejection by the cluster ends the command as FAILED.
 * @throws KubeError, DatabaseUnavailable: the row has no resource yet and can be retried
 */
export async function dispatchCommand(
  deps: DispatcherDeps,
  row: UndispatchedCommand,
): Promise<'created' | 'existing' | 'refused'> {
  const { storedFile } = row.source
  if (storedFile === undefined) {
    return dispatchTo(deps, row, {
      resource: deps.commands,
      wanted: commandResourceFor(row),
      largestBytes: largestCreatedBytes,
      isSame: (found) => isSameCommand(row, found),
    })
  }
  const wanted = storedFileResourceFor(row, storedFile)
  return dispatchTo(deps, row, {
    resource: deps.storedFiles,
    wanted,
    largestBytes: largestStoredFileBytes,
    isSame: (found) => isSameStoredFile(wanted.spec, found),
  })
}

function commandResourceFor(row: UndispatchedCommand): CustomResource<FfmpegCommandSpec> {
  const whole = customResourceFor(row)
  return isSmall(whole) ? whole : referringResourceFor(row)
}

interface Target<Spec> {
  readonly resource: Resource<KubeObject & { readonly spec: Spec }>
  readonly wanted: CustomResource<Spec>
  readonly largestBytes: number
  readonly isSame: (found: Spec) => boolean
}

async function dispatchTo<Spec>(
  deps: DispatcherDeps,
  row: UndispatchedCommand,
  target: Target<Spec>,
): Promise<'created' | 'existing' | 'refused'> {
  const bytes = storedBytes(target.wanted)
  const { largestBytes } = target
  if (bytes > largestBytes) {
    deps.metrics.oversized()
    return endRefused(deps, row, {
      code: 'too_large',
      errorMessage: `The command takes ${kilobytes(bytes)} KB in the cluster, at most ${kilobytes(largestBytes)} KB`,
    })
  }
  const made = await make(deps, target)
  if (made instanceof Error) {
    const errorMessage = `The cluster refused the command: ${errorKind(made)}`
    return endRefused(deps, row, { code: '422', errorMessage, error: made })
  }
  if (!made.isOurs) {
    const errorMessage = "Another object in the cluster has the command's name"
    return endRefused(deps, row, { code: 'name_taken', errorMessage })
  }
  await deps.effects.failpoint('dispatch.dispatch_recorded', () =>
    deps.store.markDispatched(row.commandId, made.uid),
  )
  const result = made.created ? 'created' : 'existing'
  deps.metrics.counted(result)
  const { commandId: command_id, accountName: account } = row
  deps.logger.info('dispatched', { command_id, account, created: made.created })
  return result
}

interface Made {
  readonly uid: string
  readonly created: boolean
  /** False if the object of this name is not the one that we would have created. */
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
    const isOurs = created || isSame(object.spec)
    return { uid: object.metadata.uid, created, isOurs }
  } catch (error) {
    // The schema or a policy refuses this object: a permanent error.
    if (isKubeError(error) && error.status === 422) return error
    throw error
  }
}
