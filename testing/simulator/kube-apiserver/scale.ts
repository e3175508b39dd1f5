import { objectIn, textsIn } from '../../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../../common/json/json-object.ts'
import type { Registry } from './objects/registry.ts'
import type { Route } from './routes.ts'

/** A path of kinds with `spec.replicas` that changes nothing but that number. */
export function scale(registry: Registry, { definition, namespace, name }: Route, body: unknown) {
  const wanted = isJsonObject(body) ? objectIn(body, 'spec')['replicas'] : undefined
  const at = { namespace: namespace ?? '', name, part: 'main' } as const
  const { metadata, spec = {} } = registry.update(definition, at, (object) => ({
    ...object,
    spec: { ...object.spec, replicas: wanted },
  }))
  const labels = textsIn(objectIn(spec, 'selector'), 'matchLabels')
  const selector = Object.entries(labels).map(([label, value]) => `${label}=${value}`)
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata,
    spec: { replicas: wanted },
    status: { replicas: 0, selector: selector.join(',') },
  }
}
