import { requestDigest } from '../../common/kubernetes/request-digest.ts'
import { dispatchMark } from '../../common/kubernetes/origin/dispatch-mark.ts'
import {
  customResourceName,
  markAnnotation,
  recordFinalizer,
} from '../../common/domain/resource-names.ts'
import type { NewCommand } from '../../common/store/commands.ts'
import type { FfmpegCommandSpec } from '../../crds/ffmpegcommand.ts'
import type { StoredFileSpec } from '../../crds/storedfile.ts'

/** Object as dispatch creates it, with its mark. */
export function dispatchedObject(key: string, spec: FfmpegCommandSpec | StoredFileSpec) {
  const name =
    'source' in spec
      ? customResourceName(spec.fileId ?? '', 'StoredFile')
      : customResourceName(spec.commandId ?? '')
  const annotations = { [markAnnotation]: dispatchMark(key, spec) }
  return { metadata: { name, annotations, finalizers: [recordFinalizer] }, spec }
}

export function dispatchedSpec(
  { commandId, source, vcpuCount, maxRunSeconds, isPrivate }: NewCommand,
  account: string,
  form: 'inline' | 'reference',
): FfmpegCommandSpec {
  const { commands, inputFiles, inputCompressedFolder, outputFiles } = source
  const request = {
    commands,
    ...(inputFiles === null ? {} : { inputFiles }),
    ...(inputCompressedFolder === null ? {} : { inputCompressedFolder }),
    ...(outputFiles === null ? {} : { outputFiles }),
  }
  return {
    commandId,
    account,
    ...(form === 'inline' ? request : { request: requestDigest(source) }),
    vcpuCount,
    maxRunSeconds,
    private: isPrivate,
  }
}
