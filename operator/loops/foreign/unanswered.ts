import { isKubeError } from '../../../common/kubernetes/kube-error.ts'
import type { ObjectMeta } from '../../../common/kubernetes/resources/objects.ts'
import type {
  KubeObject,
  ListPage,
  Resource,
} from '../../../common/kubernetes/resources/resource.ts'
import { recordFinalizer } from '../../../common/domain/resource-names.ts'

/** An object in a namespace that this release does not watch, and that no release has answered. */
export interface ForeignObject {
  readonly kind: Resource<KubeObject>
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

export interface Unanswered {
  /** The next part of all such objects: a fixed number of pages, however many there are. */
  find(signal: AbortSignal): Promise<ForeignObject[]>
  /** Reads the object again. */
  isStill(object: ForeignObject, signal: AbortSignal): Promise<boolean>
}

const pageSize = 500
const pagesPerPoll = 4

/**
 * A release that runs an object takes it by its finalizer and then writes `status.state`. The API
 * server filters out objects with a state, so that the commands of other releases, which may be
 * thousands, are never transferred.
 */
export function createUnanswered(deps: {
  readonly kinds: readonly Resource<KubeObject>[]
  /** Whose objects are answered by this release itself. */
  readonly namespaces: readonly string[]
}): Unanswered {
  const cursors = new Map<Resource<KubeObject>, string | null>()
  const withoutState = 'status.state='
  const elsewhere = [
    ...deps.namespaces.map((namespace) => `metadata.namespace!=${namespace}`),
    withoutState,
  ].join(',')

  return {
    async find(signal) {
      const found: ForeignObject[] = []
      for (const kind of deps.kinds) {
        for (let page = 0; page < pagesPerPoll; page += 1) {
          const { items, continueToken } = await nextPage(kind, signal)
          found.push(...items.map((item) => foreignObject(kind, item)).filter(isObject))
          cursors.set(kind, continueToken)
          if (continueToken === null) break
        }
      }
      return found
    },
    async isStill({ kind, namespace, name, uid }, signal) {
      const fieldSelector = `metadata.name=${name},${withoutState}`
      const query = { namespace, fieldSelector, metadataOnly: true, signal }
      const { items } = await kind.listPage(query)
      return items.map((item) => foreignObject(kind, item)).some((object) => object?.uid === uid)
    },
  }

  async function nextPage(kind: Resource<KubeObject>, signal: AbortSignal): Promise<ListPage> {
    const query = { namespace: null, fieldSelector: elsewhere, metadataOnly: true, signal }
    const first = { ...query, limit: pageSize }
    const continueToken = cursors.get(kind) ?? null
    if (continueToken === null) return kind.listPage(first)
    try {
      return await kind.listPage({ ...first, continueToken })
    } catch (error) {
      if (!isKubeError(error, 'gone')) throw error
      return kind.listPage(first)
    }
  }
}

function foreignObject(kind: Resource<KubeObject>, item: unknown): ForeignObject | null {
  const { metadata } = kind.parse(item)
  const { namespace, name, uid } = metadata
  return namespace === undefined || isTaken(metadata) ? null : { kind, namespace, name, uid }
}

function isTaken({ finalizers = [], deletionTimestamp }: ObjectMeta): boolean {
  return deletionTimestamp !== undefined || finalizers.includes(recordFinalizer)
}

function isObject(object: ForeignObject | null): object is ForeignObject {
  return object !== null
}
