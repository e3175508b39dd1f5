import type { ObjectMeta } from '../../common/kubernetes/resources/objects.ts'

/** What caches keep of an object's metadata: enough to address it and to guard a write. */
export type FactMetadata = Pick<ObjectMeta, 'name' | 'uid' | 'resourceVersion'>

export function factMetadata({ name, uid, resourceVersion }: ObjectMeta): FactMetadata {
  return { name, uid, resourceVersion }
}

/** Whether a watch event changed anything that a decision depends on. */
export function sameFacts<T extends { readonly metadata: FactMetadata }>(a: T, b: T): boolean {
  return (
    JSON.stringify({ ...a, metadata: a.metadata.uid }) ===
    JSON.stringify({ ...b, metadata: b.metadata.uid })
  )
}
