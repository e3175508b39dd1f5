import type { FfmpegCommand } from '../../common/kubernetes/objects.ts'
import { customResourceName, recordFinalizer } from '../../common/resource-names.ts'
import { runnableSpec, specHash } from '../spec-hash.ts'
import { shownStatus } from '../status/shown-status.ts'
import type { ShownStatus } from '../status/shown-status.ts'
import { factMetadata } from './fact-metadata.ts'
import type { FactMetadata } from './fact-metadata.ts'

/** What the operator keeps of a custom resource: an informer's copy takes sixteen times as much. */
export interface CommandFacts {
  readonly metadata: FactMetadata
  readonly generation: number
  /** The row's key: `spec.commandId`, or the object's UID when it was applied by hand. */
  readonly commandId: string
  /**
   * `dispatched` carries an id and the name that follows from it, `applied` carries none, and
   * `misnamed` carries an id under another name: it must never reach the row of that id.
   */
  readonly origin: 'dispatched' | 'applied' | 'misnamed'
  readonly account: string
  readonly specHash: string
  readonly cancel: boolean
  /** A deletion timestamp: somebody wants the command to stop. */
  readonly deleting: boolean
  readonly recordFinalizer: boolean
  readonly otherFinalizers: readonly string[]
  readonly shown: ShownStatus
}

export function commandFacts({ metadata, spec, status }: FfmpegCommand): CommandFacts {
  const origin = originOf(metadata.name, spec.commandId)
  const finalizers = metadata.finalizers ?? []
  return {
    metadata: factMetadata(metadata),
    generation: metadata.generation ?? 0,
    commandId:
      origin === 'dispatched' && spec.commandId !== undefined ? spec.commandId : metadata.uid,
    origin,
    account: spec.account ?? 'default',
    specHash: specHash(runnableSpec(spec)),
    cancel: spec.cancel === true,
    deleting: metadata.deletionTimestamp !== undefined,
    recordFinalizer: finalizers.includes(recordFinalizer),
    otherFinalizers: finalizers.filter((finalizer) => finalizer !== recordFinalizer),
    shown: shownStatus(status ?? {}),
  }
}

function originOf(name: string, commandId: string | undefined): CommandFacts['origin'] {
  if (commandId === undefined) return 'applied'
  return name === customResourceName(commandId) ? 'dispatched' : 'misnamed'
}
