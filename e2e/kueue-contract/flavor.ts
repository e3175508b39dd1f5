import { listIn, objectIn } from '../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../common/json/json-object.ts'
import type { JsonObject } from '../../common/json/json-object.ts'

/** What Kueue adds to the pods of a Job when it starts it: those of the flavor that has the room. */
export interface Flavor {
  readonly nodeSelector: Readonly<Record<string, string>>
  readonly tolerations: readonly { readonly key: string; readonly [field: string]: string }[]
}

export const defaultFlavor: Flavor = {
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'example.com/flavor', operator: 'Exists', effect: 'NoSchedule' }],
}

/** The pod template with the flavor. */
export function withFlavor(pod: JsonObject, flavor = defaultFlavor): Record<string, unknown> {
  return {
    ...pod,
    nodeSelector: { ...objectIn(pod, 'nodeSelector'), ...flavor.nodeSelector },
    tolerations: [...listIn(pod, 'tolerations'), ...flavor.tolerations],
  }
}

/** As it was before `withFlavor`. */
export function withoutFlavor(pod: JsonObject, flavor = defaultFlavor): Record<string, unknown> {
  const added = Object.keys(flavor.nodeSelector)
  const nodeSelector = Object.fromEntries(
    Object.entries(objectIn(pod, 'nodeSelector')).filter(([key]) => !added.includes(key)),
  )
  const keys: unknown[] = flavor.tolerations.map(({ key }) => key)
  const tolerations = listIn(pod, 'tolerations').filter(
    (toleration) => !isJsonObject(toleration) || !keys.includes(toleration['key']),
  )
  return { ...pod, nodeSelector, tolerations }
}
