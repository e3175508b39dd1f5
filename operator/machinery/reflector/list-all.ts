import { isKubeError } from '../../../common/kubernetes/kube-error.ts'
import type {
  KubeObject,
  ListQuery,
  Resource,
} from '../../../common/kubernetes/resources/resource.ts'

/**
 * Commands by dispatch take at most 24 KiB, applied ones 256 KiB: a page of the largest is 26 MB, a
 * usual one 0.3 MB.
 */
const pageSize = 100

/**
 * A whole LIST in pages, each read and projected before the next is requested, so that the JSON of
 * ten thousand objects is never in memory at once. If the version of the first page expires
 * meanwhile, it starts over once and then requests everything in one answer.
 * @param read null = leave the object out
 * @throws KubeError
 */
export async function listAll<R extends KubeObject, T>(
  resource: Resource<R>,
  query: ListQuery,
  read: (raw: unknown) => T | null,
): Promise<{ objects: T[]; resourceVersion: string }> {
  try {
    return await pages(resource, { ...query, limit: pageSize }, read)
  } catch (error) {
    // An exact version that is gone stays gone.
    if (!isKubeError(error, 'gone') || query.exactVersion !== undefined) throw error
  }
  try {
    return await pages(resource, { ...query, limit: pageSize }, read)
  } catch (error) {
    if (!isKubeError(error, 'gone')) throw error
    return pages(resource, query, read)
  }
}

async function pages<R extends KubeObject, T>(
  resource: Resource<R>,
  query: ListQuery,
  read: (raw: unknown) => T | null,
): Promise<{ objects: T[]; resourceVersion: string }> {
  const objects: T[] = []
  for (let token: string | null = null; ;) {
    const page = await resource.listPage(
      token === null ? query : { ...query, continueToken: token },
    )
    for (const item of page.items) {
      const object = read(item)
      if (object !== null) objects.push(object)
    }
    token = page.continueToken
    if (token === null) return { objects, resourceVersion: page.resourceVersion }
  }
}
