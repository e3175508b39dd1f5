import {
  apiGroup,
  apiVersion,
  commandKind,
  customResourceName,
  labels,
  labelValue,
  managedBy,
  markAnnotation,
  recordFinalizer,
} from '../../../common/domain/resource-names.ts'
import type { WorkKind } from '../../../common/domain/resource-names.ts'
import type { InlineSpec, ReferringSpec } from '../../../common/kubernetes/resources/spec-form.ts'
import { largestInlineBytes, storedBytes } from '../../../common/kubernetes/stored-bytes.ts'
import { requestDigest } from '../../../common/kubernetes/request-digest.ts'
import { dispatchMark } from '../../../common/kubernetes/origin/dispatch-mark.ts'
import { requestPreview } from './request-preview.ts'
import type { FfmpegCommandSpec } from '../../../crds/ffmpegcommand.ts'
import type { StoredFileSpec } from '../../../crds/storedfile.ts'
import type { UndispatchedCommand } from '../../../common/store/dispatch.ts'

export interface CustomResource<Spec> {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels: Record<string, string>
    readonly annotations: Record<string, string>
    readonly finalizers: string[]
  }
  readonly spec: Spec
}

/** The columns of a row from which its custom resource is built. */
export type ResourceSource = Pick<
  UndispatchedCommand,
  | 'commandId'
  | 'accountName'
  | 'dispatchKey'
  | 'environmentName'
  | 'source'
  | 'vcpuCount'
  | 'maxRunSeconds'
  | 'isPrivate'
  | 'priority'
>

/**
 * The custom resource of a row, with its whole request; deterministic, so that another dispatcher, or
 * the same one after a crash, finds its own object under this name. It has the finalizer from its
 * creation, so that no deletion is missed.
 */
export function customResourceFor(command: ResourceSource): CustomResource<InlineSpec> {
  const { commands, inputFiles, inputCompressedFolder, outputFiles } = command.source
  return resourceFor(command, commandKind, {
    ...ownerFields(command),
    commands,
    ...(inputFiles === null ? {} : { inputFiles }),
    ...(inputCompressedFolder === null ? {} : { inputCompressedFolder }),
    ...(outputFiles === null ? { outputFolder: true } : { outputFiles }),
    ...limitFields(command),
  })
}

/**
 * The custom resource of a row whose request is too large for etcd: a body of 504 KB with many `&`
 * would be an object of 3 MB, which etcd refuses.
 */
export function referringResourceFor(command: ResourceSource): CustomResource<ReferringSpec> {
  return resourceFor(command, commandKind, {
    ...ownerFields(command),
    request: requestDigest(command.source),
    preview: requestPreview(command.source),
    ...limitFields(command),
  })
}

/** Whether the cluster may hold the whole request; `managedFields` repeats each alias of its maps. */
export function isSmall({ spec }: CustomResource<InlineSpec>): boolean {
  const aliases = { ...spec.inputFiles, ...spec.outputFiles }
  const managed = Object.keys(aliases).reduce((sum, alias) => sum + `"f:${alias}":{},`.length, 0)
  return storedBytes(spec) + managed <= largestInlineBytes
}

export function resourceFor<Spec extends FfmpegCommandSpec | StoredFileSpec>(
  command: ResourceSource,
  kind: WorkKind,
  spec: Spec,
): CustomResource<Spec> {
  return {
    apiVersion: `${apiGroup}/${apiVersion}`,
    kind,
    metadata: {
      name: customResourceName(command.commandId, kind),
      labels: {
        [labels.commandId]: command.commandId,
        [labels.account]: labelValue(command.accountName),
        [labels.managedBy]: managedBy,
      },
      annotations: { [markAnnotation]: dispatchMark(command.dispatchKey, spec) },
      finalizers: [recordFinalizer],
    },
    spec,
  }
}

/**
 * All fields, also defaults, so that `isSameCommand` can compare them. `priority` is for people who read
 * the object: the row decides the order.
 */
function ownerFields({ commandId, accountName, environmentName }: ResourceSource) {
  return {
    commandId,
    account: accountName,
    ...(environmentName === null ? {} : { environmentName }),
  }
}

function limitFields({ vcpuCount, maxRunSeconds, isPrivate, priority }: ResourceSource) {
  return { vcpuCount, maxRunSeconds, private: isPrivate, priority }
}
