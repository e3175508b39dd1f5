import type { KubeRequest } from '../../../common/kubernetes/transport.ts'
import type { ResourceDefinition } from './objects/fake-object.ts'
import type { FakeCall, Subresource } from './faults.ts'

export interface Route {
  readonly definition: ResourceDefinition
  readonly verb: FakeCall['verb']
  /** null = all namespaces. */
  readonly namespace: string | null
  /** Empty for a collection. */
  readonly name: string
  readonly subresource: Subresource | null
}

const subresources = ['status', 'scale', 'resize'] as const

const pattern =
  /^\/(?:api\/(v1)|apis\/([^/]+\/[^/]+))(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?(?:\/(status|scale|resize))?$/

/** Reads path and method; null for what this server does not serve. */
export function createRoutes(
  definitions: readonly ResourceDefinition[],
): (request: KubeRequest) => Route | null {
  return (request) => {
    const match = pattern.exec(request.path)
    if (match === null) return null
    const [, core, group, namespace, plural, name = '', subresource] = match
    const definition = definitions.find(
      (entry) => entry.plural === plural && entry.apiVersion === (core ?? group),
    )
    const verb = verbOf(request, name !== '')
    if (definition === undefined || verb === null) return null
    return {
      definition,
      verb,
      namespace: namespace === undefined ? null : decodeURIComponent(namespace),
      name: decodeURIComponent(name),
      subresource: subresources.find((known) => known === subresource) ?? null,
    }
  }
}

function verbOf({ method, query }: KubeRequest, isOne: boolean): Route['verb'] | null {
  switch (method) {
    case 'GET':
      if (isOne) return 'get'
      return query?.['watch'] === 'true' ? 'watch' : 'list'
    case 'POST':
      return isOne ? null : 'create'
    case 'PUT':
      return isOne ? 'update' : null
    case 'PATCH':
      return isOne ? 'patch' : null
    case 'DELETE':
      return isOne ? 'delete' : null
  }
}
