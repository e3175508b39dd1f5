import {
  isTrueIn,
  listIn,
  objectIn,
  objectOf,
  optionalNumberIn,
  optionalTextIn,
  textIn,
  textsIn,
} from '../read-json.ts'
import type { ObjectMeta, OwnerReference } from './objects.ts'

/**
 * Reads `metadata`, without `managedFields`: they are a quarter to a third of an object and are not
 * used here.
 * @throws UnexpectedShape
 */
export function parseMetadata(raw: unknown): ObjectMeta {
  const metadata = objectIn(objectOf(raw, 'object'), 'metadata')
  const namespace = optionalTextIn(metadata, 'namespace')
  const generation = optionalNumberIn(metadata, 'generation')
  const creationTimestamp = optionalTextIn(metadata, 'creationTimestamp')
  const deletionTimestamp = optionalTextIn(metadata, 'deletionTimestamp')
  const grace = optionalNumberIn(metadata, 'deletionGracePeriodSeconds')
  const finalizers = listIn(metadata, 'finalizers').filter((entry) => typeof entry === 'string')
  const ownerReferences = listIn(metadata, 'ownerReferences').map(parseOwner)
  return {
    name: textIn(metadata, 'name'),
    uid: textIn(metadata, 'uid'),
    resourceVersion: textIn(metadata, 'resourceVersion'),
    labels: textsIn(metadata, 'labels'),
    annotations: textsIn(metadata, 'annotations'),
    finalizers,
    ownerReferences,
    ...(namespace === null ? {} : { namespace }),
    ...(generation === null ? {} : { generation }),
    ...(creationTimestamp === null ? {} : { creationTimestamp }),
    ...(deletionTimestamp === null ? {} : { deletionTimestamp }),
    ...(grace === null ? {} : { deletionGracePeriodSeconds: grace }),
  }
}

function parseOwner(raw: unknown): OwnerReference {
  const owner = objectOf(raw, 'ownerReferences entry')
  return {
    apiVersion: textIn(owner, 'apiVersion'),
    kind: textIn(owner, 'kind'),
    name: textIn(owner, 'name'),
    uid: textIn(owner, 'uid'),
    controller: isTrueIn(owner, 'controller'),
  }
}
