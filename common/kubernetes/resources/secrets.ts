import { parseMetadata } from './metadata.ts'
import { objectOf, textsIn } from '../read-json.ts'
import { createResource } from './resource.ts'
import type { KubeClient } from '../client.ts'
import type { Secret } from './objects.ts'
import type { Resource } from './resource.ts'

export function createSecrets(client: KubeClient): Resource<Secret> {
  return createResource(client, {
    kind: 'Secret',
    plural: 'secrets',
    apiPath: '/api/v1',
    parse: parseSecret,
  })
}

/** @throws UnexpectedShape */
function parseSecret(raw: unknown): Secret {
  return { metadata: parseMetadata(raw), data: textsIn(objectOf(raw, 'Secret'), 'data') }
}
