import { objectOf, textsIn } from '../../common/kubernetes/read-json.ts'
import { parseMetadata } from '../../common/kubernetes/resources/metadata.ts'
import { createResource } from '../../common/kubernetes/resources/resource.ts'
import type { KubeClient } from '../../common/kubernetes/client.ts'
import type { ObjectMeta } from '../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'

/** A Secret of the cluster; its values are base64. */
export interface KubeSecret {
  readonly metadata: ObjectMeta
  readonly data: Readonly<Record<string, string>>
}

export function createKubeSecrets(client: KubeClient): Resource<KubeSecret> {
  return createResource(client, {
    kind: 'Secret',
    plural: 'secrets',
    apiPath: '/api/v1',
    parse: parseSecret,
  })
}

/** @throws UnexpectedShape */
function parseSecret(raw: unknown): KubeSecret {
  return { metadata: parseMetadata(raw), data: textsIn(objectOf(raw, 'Secret'), 'data') }
}
