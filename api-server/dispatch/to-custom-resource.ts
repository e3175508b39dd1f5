import {
  apiGroup,
  apiVersion,
  commandKind,
  customResourceName,
  labels,
  labelValue,
  managedBy,
  recordFinalizer,
} from '../../common/domain/resource-names.ts'
import type { WorkKind } from '../../common/domain/resource-names.ts'
import type { UndispatchedCommand } from '../../common/store/dispatch.ts'
import type { FfmpegCommandSpec } from '../../crds/ffmpegcommand.ts'

export interface CustomResource<Spec> {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels: Record<string, string>
    readonly finalizers: string[]
  }
  readonly spec: Spec
}

/** The columns of a row from which its custom resource is built. */
export type ResourceSource = Pick<
  UndispatchedCommand,
  | 'commandId'
  | 'accountName'
  | 'environmentName'
  | 'source'
  | 'vcpuCount'
  | 'maxRunSeconds'
  | 'isPrivate'
  | 'priority'
>

/**
 * The custom resource of a row; deterministic, so that another dispatcher, or the same one after a
 * crash, finds its own object under this name. It has the finalizer from its creation, so that no
 * deletion is missed.
 */
export function customResourceFor(command: ResourceSource): CustomResource<FfmpegCommandSpec> {
  return resourceFor(command, commandKind, specFor(command))
}

export function resourceFor<Spec>(
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
      finalizers: [recordFinalizer],
    },
    spec,
  }
}

/**
 * Writes all fields, also defaults, so that `isSameCommand` can compare them. `priority` is for people
 * who read the object: the row decides the order.
 */
function specFor(command: ResourceSource): FfmpegCommandSpec {
  const { commands, inputFiles, inputCompressedFolder, outputFiles } = command.source
  return {
    commandId: command.commandId,
    account: command.accountName,
    ...(command.environmentName === null ? {} : { environmentName: command.environmentName }),
    commands,
    ...(inputFiles === null ? {} : { inputFiles }),
    ...(inputCompressedFolder === null ? {} : { inputCompressedFolder }),
    ...(outputFiles === null ? { outputFolder: true } : { outputFiles }),
    vcpuCount: command.vcpuCount,
    maxRunSeconds: command.maxRunSeconds,
    private: command.isPrivate,
    priority: command.priority,
  }
}
