import { createHmac, timingSafeEqual } from 'node:crypto'
import { markAnnotation } from '../../domain/resource-names.ts'
import { requestDigest } from '../request-digest.ts'
import { isInline } from '../resources/spec-form.ts'
import type { ObjectMeta } from '../resources/objects.ts'
import type { FfmpegCommandSpec } from '../../../crds/ffmpegcommand.ts'
import type { StoredFileSpec } from '../../../crds/storedfile.ts'

type DispatchedSpec = FfmpegCommandSpec | StoredFileSpec

/**
 * Proves that dispatch made an object, after its row was lost: names, labels, finalizers and managers of fields can be
 * written by all who may create the kind. It covers account and request, since a user who may read an object can copy
 * its mark to another one.
 * @param key secret of the database; a key in a Secret of the cluster could be read by the `edit` of a namespace
 */
export function dispatchMark(key: string, spec: DispatchedSpec): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(markedParts(spec)))
    .digest('base64url')
}

export function isDispatched(
  key: string,
  { metadata, spec }: { readonly metadata: ObjectMeta; readonly spec: DispatchedSpec },
): boolean {
  const shown = Buffer.from(metadata.annotations?.[markAnnotation] ?? '')
  const wanted = Buffer.from(dispatchMark(key, spec))
  return shown.length === wanted.length && timingSafeEqual(shown, wanted)
}

/** The same for both forms of a command: what it runs, for whom, and who may see the result. */
function markedParts(spec: DispatchedSpec): unknown[] {
  if ('source' in spec) {
    const { url, upload } = spec.source
    const source = upload === undefined ? [url] : [upload.key, upload.name]
    return ['file', spec.fileId, spec.account, source, spec.private]
  }
  const { commandId, account, vcpuCount, maxRunSeconds } = spec
  return ['command', commandId, account, requestOf(spec), vcpuCount, maxRunSeconds, spec.private]
}

function requestOf(spec: FfmpegCommandSpec): string | null {
  if (!isInline(spec)) return spec.request?.sha256 ?? null
  const { inputFiles = null, inputCompressedFolder = null, outputFiles = null } = spec
  return requestDigest({ commands: spec.commands, inputFiles, inputCompressedFolder, outputFiles })
    .sha256
}
