import { isDeepStrictEqual } from 'node:util'
import { storedFileKind } from '../../../common/domain/resource-names.ts'
import type { FileSource } from '../../../common/store/commands.ts'
import type { StoredFileSpec } from '../../../crds/storedfile.ts'
import { resourceFor } from './to-custom-resource.ts'
import type { CustomResource, ResourceSource } from './to-custom-resource.ts'

/** The custom resource of the work on a stored file; deterministic. */
export function storedFileResourceFor(
  work: ResourceSource,
  source: FileSource,
): CustomResource<StoredFileSpec> {
  return resourceFor(work, storedFileKind, {
    fileId: work.commandId,
    account: work.accountName,
    ...(work.environmentName === null ? {} : { environmentName: work.environmentName }),
    source,
    private: work.isPrivate,
  })
}

/** Whether the object found under a file's name is the one that we would have created. */
export function isSameStoredFile(wanted: StoredFileSpec, found: StoredFileSpec): boolean {
  return specFields.every((field) => isDeepStrictEqual(wanted[field], found[field]))
}

const specFields = [
  'fileId',
  'account',
  'environmentName',
  'source',
  'private',
] as const satisfies readonly (keyof StoredFileSpec)[]
