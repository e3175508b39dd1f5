import {
  apiGroup,
  apiVersion,
  commandKind,
  commandPlural,
  storedFileKind,
  storedFilePlural,
} from '../../domain/resource-names.ts'
import { parseMetadata } from './metadata.ts'
import { createResource } from './resource.ts'
import type { KubeClient } from '../client.ts'
import type { KubeObject, Resource } from './resource.ts'

/**
 * Both custom resources with their metadata alone, for work that has to succeed on every object: a
 * spec of a newer version of the schema cannot stop it.
 */
export function createWorkMetadata(client: KubeClient): Resource<KubeObject>[] {
  return [
    { kind: commandKind, plural: commandPlural },
    { kind: storedFileKind, plural: storedFilePlural },
  ].map((names) =>
    createResource(client, {
      ...names,
      apiPath: `/apis/${apiGroup}/${apiVersion}`,
      parse: (raw) => ({ metadata: parseMetadata(raw) }),
    }),
  )
}
