import { parseMetadata } from './metadata.ts'
import { objectIn, objectOf, optionalNumberIn, optionalTextIn } from '../read-json.ts'
import { createResource } from './resource.ts'
import type { KubeClient } from '../client.ts'
import type { Lease } from './objects.ts'
import type { Resource } from './resource.ts'

export function createLeases(client: KubeClient): Resource<Lease> {
  return createResource(client, {
    kind: 'Lease',
    plural: 'leases',
    apiPath: '/apis/coordination.k8s.io/v1',
    parse: parseLease,
  })
}

/**
 * An emptied holder reads as none.
 * @throws UnexpectedShape
 */
export function parseLease(raw: unknown): Lease {
  const spec = objectIn(objectOf(raw, 'Lease'), 'spec')
  const holder = optionalTextIn(spec, 'holderIdentity')
  return {
    metadata: parseMetadata(raw),
    spec: {
      holderIdentity: holder === '' ? null : holder,
      leaseDurationSeconds: optionalNumberIn(spec, 'leaseDurationSeconds'),
      leaseTransitions: optionalNumberIn(spec, 'leaseTransitions') ?? 0,
    },
  }
}
