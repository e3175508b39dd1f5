import { hash } from 'node:crypto'
import type { FileSource, Work } from '../../common/store/commands.ts'
import { requestDigest, sourceParts } from '../../common/kubernetes/request-digest.ts'
import type { InlineSpec, ReferringSpec } from '../../common/kubernetes/resources/spec-form.ts'
import type { StoredFileSpec } from '../../crds/storedfile.ts'

/** Commands and files of a command, wherever they are written down. */
export interface RunnableSpec {
  readonly source: Work['source']
  readonly vcpuCount: number
  readonly maxRunSeconds: number
  readonly isPrivate: boolean
}

/**
 * Equal for a row and for the custom resource made from it. Names alone do not prove that an object
 * is ours: every user who may create objects can take a name first.
 */
export function specHash({ source, vcpuCount, maxRunSeconds, isPrivate }: RunnableSpec): string {
  const { storedFile } = source
  if (storedFile !== undefined) return digest([fileParts(storedFile), isPrivate])
  return digest([...sourceParts(source), vcpuCount, maxRunSeconds, isPrivate])
}

/** The same for a custom resource that refers to its request, which is hashed already. */
export function referenceHash({ source, ...limits }: RunnableSpec): string {
  return hashOfReference(requestDigest(source).sha256, limits)
}

/** Equal to `referenceHash` of the row. */
export function referringSpecHash(spec: ReferringSpec): string {
  return hashOfReference(spec.request.sha256, limitsOf(spec))
}

function hashOfReference(
  sha256: string,
  { vcpuCount, maxRunSeconds, isPrivate }: Omit<RunnableSpec, 'source'>,
): string {
  return digest(['request', sha256, vcpuCount, maxRunSeconds, isPrivate])
}

function fileParts(source: FileSource): string[] {
  return 'url' in source ? ['url', source.url] : ['upload', source.upload.key, source.upload.name]
}

function digest(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 40)
}

export function runnableSpec(spec: InlineSpec): RunnableSpec {
  return {
    source: {
      commands: spec.commands,
      inputFiles: spec.inputFiles ?? null,
      inputCompressedFolder: spec.inputCompressedFolder ?? null,
      outputFiles: spec.outputFiles ?? null,
    },
    ...limitsOf(spec),
  }
}

/** Absent fields have the defaults of the CRD, in case the API server did not fill them in. */
function limitsOf(spec: InlineSpec | ReferringSpec): Omit<RunnableSpec, 'source'> {
  return {
    vcpuCount: spec.vcpuCount ?? 8,
    maxRunSeconds: spec.maxRunSeconds ?? 300,
    isPrivate: spec.private ?? false,
  }
}

/** The parts of a stored file's spec that its work follows from; the others are the service's. */
export function storedFileSource({ source }: StoredFileSpec): FileSource {
  return source.upload === undefined ? { url: source.url ?? '' } : { upload: source.upload }
}
