import { listIn, objectIn } from '../../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../../common/json/json-object.ts'
import type { JsonObject } from '../../../common/json/json-object.ts'
import type { FakeObject } from './objects/fake-object.ts'
import { invalid } from './objects/refusal.ts'
import type { Registry } from './objects/registry.ts'
import type { Route } from './routes.ts'

/**
 * The path of a pod that changes requests and limits of its containers and nothing else: labels that are
 * sent with it are dropped without a word. The identity in the patch is a precondition.
 */
export function resize(
  registry: Registry,
  { definition, namespace, name }: Route,
  body: unknown,
): FakeObject {
  const patch = isJsonObject(body) ? body : {}
  const at = { namespace: namespace ?? '', name, part: 'main' } as const
  return registry.update(definition, at, (object) => {
    const uid = objectIn(patch, 'metadata')['uid'] ?? object.metadata.uid
    const before = namesOf(listIn(object.spec ?? {}, 'containers'))
    const named = namesOf(listIn(objectIn(patch, 'spec'), 'containers'))
    if (before.filter((each) => named.includes(each)).join() !== named.join()) {
      throw invalid('Pod', name, 'containers may not be renamed or reordered on resize')
    }
    const containers = listIn(object.spec ?? {}, 'containers').map((container) =>
      isJsonObject(container)
        ? resized(container, listIn(objectIn(patch, 'spec'), 'containers'))
        : {},
    )
    if (isGuaranteed(containers) !== isGuaranteed(listIn(object.spec ?? {}, 'containers'))) {
      throw invalid('Pod', name, 'Pod QOS Class may not change as a result of resizing')
    }
    return {
      ...object,
      metadata: { ...object.metadata, uid },
      spec: { ...object.spec, containers },
    }
  })
}

function namesOf(containers: readonly unknown[]): unknown[] {
  return containers.filter(isJsonObject).map((container) => container['name'])
}

function resized(container: JsonObject, patches: readonly unknown[]): JsonObject {
  const patch = patches.filter(isJsonObject).find(({ name }) => name === container['name'])
  if (patch === undefined) return container
  const now = objectIn(container, 'resources')
  const wanted = objectIn(patch, 'resources')
  return {
    ...container,
    resources: {
      requests: { ...objectIn(now, 'requests'), ...objectIn(wanted, 'requests') },
      limits: { ...objectIn(now, 'limits'), ...objectIn(wanted, 'limits') },
    },
  }
}

/** Requests of all containers equal their limits, as texts: this server writes no quantity anew. */
function isGuaranteed(containers: readonly unknown[]): boolean {
  return (
    containers.length > 0 &&
    containers.filter(isJsonObject).every((container) => {
      const { requests, limits } = objectIn(container, 'resources')
      const has = (amount: 'cpu' | 'memory'): boolean =>
        isJsonObject(requests) && isJsonObject(limits) && requests[amount] === limits[amount]
      return has('cpu') && has('memory')
    })
  )
}
