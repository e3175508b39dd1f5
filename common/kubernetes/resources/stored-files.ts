import {
  apiGroup,
  apiVersion,
  storedFileKind,
  storedFilePlural,
} from '../../domain/resource-names.ts'
import { parseMetadata } from './metadata.ts'
import { objectOf, UnexpectedShape } from '../read-json.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { createResource } from './resource.ts'
import type { StoredFileBody } from '../../../crds/storedfile.ts'
import type { KubeClient } from '../client.ts'
import type { StoredFileObject } from './objects.ts'
import type { Resource } from './resource.ts'

export function createStoredFiles(client: KubeClient): Resource<StoredFileObject> {
  return createResource(client, {
    kind: storedFileKind,
    plural: storedFilePlural,
    apiPath: `/apis/${apiGroup}/${apiVersion}`,
    parse: parseStoredFile,
  })
}

/** @throws UnexpectedShape */
function parseStoredFile(raw: unknown): StoredFileObject {
  const object = objectOf(raw, storedFileKind)
  if (!hasBody(object)) throw new UnexpectedShape(storedFileKind, 'a stored file')
  const { spec, status } = object
  return { metadata: parseMetadata(raw), spec, ...(status === undefined ? {} : { status }) }
}

/** The API server validates spec and status against the schema the types are generated from. */
function hasBody(object: object): object is StoredFileBody {
  if (!('spec' in object) || !isJsonObject(object.spec)) return false
  const status = 'status' in object ? object.status : undefined
  return isJsonObject(object.spec['source']) && (status === undefined || isJsonObject(status))
}
