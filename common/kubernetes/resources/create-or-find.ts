import { isKubeError } from '../kube-error.ts'
import type { CallOptions, KubeObject, Resource } from './resource.ts'

/**
 * Creates an object under a name that is a function of its purpose, so that a second try finds the
 * first one's object. If the name is taken, the reply was lost, or an exhausted quota answered (the
 * quota is checked before the name), the object is read by its name.
 *
 * A found object may belong to another owner: the caller checks owner and contents before adopting
 * it.
 * @throws KubeError of the create, if the object does not exist
 */
export async function createOrFind<T extends KubeObject>(
  resource: Resource<T>,
  namespace: string,
  body: { metadata: { name: string } },
  options?: CallOptions,
): Promise<{ object: T; created: boolean }> {
  try {
    return { object: await resource.create(namespace, body, options), created: true }
  } catch (error) {
    if (!isKubeError(error, 'exists', 'transient', 'quota')) throw error
    const found = await resource.get(namespace, body.metadata.name, options)
    if (found === null) throw error
    return { object: found, created: false }
  }
}
