import { parseMetadata } from '../../../common/kubernetes/resources/metadata.ts'
import { objectOf, textsIn } from '../../../common/kubernetes/read-json.ts'
import { createResource } from '../../../common/kubernetes/resources/resource.ts'
import type { KubeClient } from '../../../common/kubernetes/client.ts'
import type { ObjectMeta } from '../../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../../common/kubernetes/resources/resource.ts'

/** What we read of a ConfigMap. */
export interface ConfigMap {
  readonly metadata: ObjectMeta
  readonly data: Readonly<Record<string, string>>
}

export function createConfigMaps(client: KubeClient): Resource<ConfigMap> {
  return createResource(client, {
    kind: 'ConfigMap',
    plural: 'configmaps',
    apiPath: '/api/v1',
    parse: parseConfigMap,
  })
}

/** @throws UnexpectedShape */
function parseConfigMap(raw: unknown): ConfigMap {
  return { metadata: parseMetadata(raw), data: textsIn(objectOf(raw, 'ConfigMap'), 'data') }
}
