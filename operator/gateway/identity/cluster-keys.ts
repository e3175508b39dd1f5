import { quickAjv } from '../../../common/json/quick-ajv.ts'
import type { JSONWebKeySet } from 'jose'
import type { KubeClient } from '../../../common/kubernetes/client.ts'
import type { ClusterKeys } from './runner-identity.ts'

/**
 * The issuer and keys of service-account tokens, from the API server's discovery documents
 * (Kubernetes, "Service account issuer discovery"). Every service account may read them by default.
 */
export function createClusterKeys(kube: Pick<KubeClient, 'call'>): ClusterKeys {
  const read = (path: string) =>
    kube.call({ verb: 'get', kind: 'ServiceAccountKeys', method: 'GET', path, retry: true })
  return {
    async load() {
      const [discovery, keys] = await Promise.all([
        read('/.well-known/openid-configuration'),
        read('/openid/v1/jwks'),
      ])
      if (!isDiscovery(discovery) || !isKeySet(keys)) {
        throw new Error('the API server describes its service-account issuer in an unknown form')
      }
      return { issuer: discovery.issuer, keys }
    },
  }
}

const ajv = quickAjv()

const isDiscovery = ajv.compile<{ issuer: string }>({
  type: 'object',
  required: ['issuer'],
  properties: { issuer: { type: 'string', minLength: 1 } },
})

const isKeySet = ajv.compile<JSONWebKeySet>({
  type: 'object',
  required: ['keys'],
  properties: {
    keys: {
      type: 'array',
      items: { type: 'object', required: ['kty'], properties: { kty: { type: 'string' } } },
    },
  },
})
