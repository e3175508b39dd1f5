import type {
  FfmpegCommand,
  ObjectMeta,
  StoredFileObject,
} from '../../common/kubernetes/resources/objects.ts'
import { isInline, isReferring } from '../../common/kubernetes/resources/spec-form.ts'
import { largeObjectBytes, storedBytes } from '../../common/kubernetes/stored-bytes.ts'
import {
  commandKind,
  customResourceName,
  keepAnnotation,
  recordFinalizer,
} from '../../common/domain/resource-names.ts'
import type { WorkKind } from '../../common/domain/resource-names.ts'
import {
  referringSpecHash,
  runnableSpec,
  specHash,
  storedFileSource,
} from '../resources/spec-hash.ts'
import { shownStatus } from './shown-status.ts'
import type { ShownStatus } from './shown-status.ts'
import type { FfmpegCommandSpec } from '../../crds/ffmpegcommand.ts'
import { UnexpectedShape } from '../../common/kubernetes/read-json.ts'
import { factMetadata } from './fact-metadata.ts'
import type { FactMetadata } from './fact-metadata.ts'

/** Fields of a custom resource that the operator keeps: an informer's copy takes sixteen times as much. */
export interface CommandFacts {
  readonly kind: WorkKind
  readonly metadata: FactMetadata
  readonly generation: number
  /** The row's key: the id in the spec, or the object's UID when it was applied by hand. */
  readonly commandId: string
  /**
   * `dispatched` carries an id and the name that follows from it, `applied` carries none, and
   * `misnamed` carries an id under another name or elsewhere: it must never reach the row of that id.
   */
  readonly origin: 'dispatched' | 'applied' | 'misnamed'
  readonly account: string
  /** The spec refers to the request in the row. */
  readonly byReference: boolean
  /** `specHash` of what the spec holds, `referenceHash` if it refers to its request. */
  readonly specHash: string
  /** Each write of its status is a write of more than 64 KiB. */
  readonly large: boolean
  readonly cancel: boolean
  /** A deletion timestamp: a user wants the command to stop. */
  readonly deleting: boolean
  /** The object's owner, such as Git, wants it to stay after its end. */
  readonly keep: boolean
  readonly recordFinalizer: boolean
  readonly otherFinalizers: readonly string[]
  readonly shown: ShownStatus
}

/**
 * @param home the namespace in which the service itself creates objects
 * @throws UnexpectedShape if the spec has none of the two forms
 */
export function commandFacts(
  { metadata, spec, status }: FfmpegCommand,
  home: string,
): CommandFacts {
  return {
    kind: 'FfmpegCommand',
    ...identityFacts('FfmpegCommand', metadata, spec.commandId, home),
    ...wishFacts(metadata, spec),
    ...sizeFacts(metadata, spec),
    ...formFacts(spec),
    shown: shownStatus(status ?? {}),
  }
}

/** @param home the namespace in which the service itself creates objects */
export function storedFileFacts(
  { metadata, spec, status }: StoredFileObject,
  home: string,
): CommandFacts {
  const source = { ...noCommand, storedFile: storedFileSource(spec) }
  const isPrivate = spec.private ?? false
  return {
    kind: 'StoredFile',
    ...identityFacts('StoredFile', metadata, spec.fileId, home),
    ...wishFacts(metadata, spec),
    ...sizeFacts(metadata, spec),
    byReference: false,
    specHash: specHash({ source, isPrivate, vcpuCount: 0, maxRunSeconds: 0 }),
    shown: shownStatus(status ?? {}),
  }
}

const noCommand = {
  commands: [],
  inputFiles: null,
  inputCompressedFolder: null,
  outputFiles: null,
}

function formFacts(spec: FfmpegCommandSpec): Pick<CommandFacts, 'byReference' | 'specHash'> {
  if (isInline(spec)) return { byReference: false, specHash: specHash(runnableSpec(spec)) }
  if (isReferring(spec)) return { byReference: true, specHash: referringSpecHash(spec) }
  throw new UnexpectedShape(commandKind, 'a spec with commands, or with commandId and request')
}

function sizeFacts(metadata: ObjectMeta, spec: object): Pick<CommandFacts, 'large'> {
  return { large: storedBytes({ metadata, spec }) > largeObjectBytes }
}

function identityFacts(kind: WorkKind, metadata: ObjectMeta, id: string | undefined, home: string) {
  const origin = originOf(kind, metadata, id, home)
  return {
    metadata: factMetadata(metadata),
    generation: metadata.generation ?? 0,
    commandId: origin === 'dispatched' && id !== undefined ? id : metadata.uid,
    origin,
  }
}

/** Who may create objects in another namespace must not reach the row of an id by its name. */
function originOf(
  kind: WorkKind,
  { namespace, name }: ObjectMeta,
  id: string | undefined,
  home: string,
): CommandFacts['origin'] {
  if (id === undefined) return 'applied'
  const isNamed = namespace === home && name === customResourceName(id, kind)
  return isNamed ? 'dispatched' : 'misnamed'
}

function wishFacts(metadata: ObjectMeta, spec: { account?: string; cancel?: boolean }) {
  const finalizers = metadata.finalizers ?? []
  return {
    account: spec.account ?? 'default',
    cancel: spec.cancel === true,
    deleting: metadata.deletionTimestamp !== undefined,
    keep: metadata.annotations?.[keepAnnotation] === 'true',
    recordFinalizer: finalizers.includes(recordFinalizer),
    otherFinalizers: finalizers.filter((finalizer) => finalizer !== recordFinalizer),
  }
}
