import { isIPv4 } from 'node:net'
import { isRecord } from '../../host/run-command.ts'

export interface ServiceName {
  readonly name: string
  /** Undefined for Services without an address of their own (headless, ExternalName). */
  readonly address: string | undefined
}

export type ServiceChange = ServiceName & { readonly kind: 'there' | 'gone' }

/**
 * Reads one line of a watch on Services. Undefined where the watch has to begin anew, as after an ERROR event (410 Gone).
 */
export function parseWatchLine(line: string): ServiceChange | 'bookmark' | undefined {
  const event: unknown = JSON.parse(line)
  if (!isRecord(event)) return undefined
  if (event['type'] === 'BOOKMARK') return 'bookmark'
  const service = parseService(event['object'])
  if (service === undefined) return undefined
  if (event['type'] === 'DELETED') return { ...service, kind: 'gone' }
  return event['type'] === 'ADDED' || event['type'] === 'MODIFIED'
    ? { ...service, kind: 'there' }
    : undefined
}

/** @throws Error if the text is not a list of Services. */
export function parseServiceList(body: unknown): {
  readonly resourceVersion: string
  readonly services: ServiceName[]
} {
  if (!isRecord(body) || !isRecord(body['metadata']) || !Array.isArray(body['items'])) {
    throw new Error('the API server answered no list of Services')
  }
  const services = body['items'].flatMap((item: unknown) => parseService(item) ?? [])
  return { resourceVersion: String(body['metadata']['resourceVersion']), services }
}

function parseService(object: unknown): ServiceName | undefined {
  if (!isRecord(object) || !isRecord(object['metadata']) || !isRecord(object['spec'])) {
    return undefined
  }
  const { name, namespace } = object['metadata']
  const { clusterIP } = object['spec']
  if (typeof name !== 'string' || typeof namespace !== 'string') return undefined
  const address = typeof clusterIP === 'string' && isIPv4(clusterIP) ? clusterIP : undefined
  return { name: `${name}.${namespace}.svc.cluster.local`, address }
}
