import { isIPv6 } from 'node:net'
import { createLoop, loopPart } from '../runtime/loop.ts'
import { listIn, numberIn, objectOf } from '../kubernetes/read-json.ts'
import { isJsonObject } from '../json/json-object.ts'
import type { KubeClient } from '../kubernetes/client.ts'
import type { Effects } from '../runtime/effects.ts'
import type { Part } from '../runtime/lifecycle.ts'
import type { Logger } from '../runtime/logger.ts'

/** The addresses of the Kubernetes API, so that no URL of a user leads there. */
export interface ApiAddresses {
  /** `host:port` of its Service and of each of its servers, as far as they are known. */
  readonly current: () => readonly string[]
  readonly part: Part
}

interface Deps {
  /** null: the servers are not read, because the chart's values name them. */
  readonly kube: Pick<KubeClient, 'call'> | null
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly effects: Pick<Effects, 'clock' | 'random'>
  readonly logger: Logger
}

/** Servers of the API are replaced in minutes; the longest time that a new one is open to an allowed range. */
const everyMs = 60_000

/**
 * The name of the API's Service leads to one virtual address, and the rules of a node from there to a server. The
 * servers have addresses of their own, often within a range that `network.allowCidrs` opens.
 */
export function createApiAddresses({ kube, environment, effects, logger }: Deps): ApiAddresses {
  const service = serviceAddress(environment)
  let servers: readonly string[] = []
  const work = async (signal: AbortSignal): Promise<void> => {
    if (kube === null) return
    const slice = await kube.call({
      verb: 'get',
      kind: 'EndpointSlice',
      method: 'GET',
      path: slicePath,
      retry: true,
      signal,
    })
    servers = serverAddresses(slice)
  }
  const loop = createLoop({ name: 'kubernetes-api', everyMs, effects, logger, work })
  return {
    current: () => [...service, ...servers],
    part: loopPart('kubernetes-api', (signal) => loop.run(signal)),
  }
}

/** kube-apiserver itself keeps this object, and under this name. */
const slicePath = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes'

function serviceAddress(environment: Deps['environment']): string[] {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = environment
  return host === '' ? [] : [hostAndPort(host, port)]
}

/** @throws UnexpectedShape */
function serverAddresses(raw: unknown): string[] {
  const slice = objectOf(raw, 'EndpointSlice')
  const ports = listIn(slice, 'ports').map((port) => numberIn(objectOf(port, 'ports'), 'port'))
  return listIn(slice, 'endpoints')
    .filter(isJsonObject)
    .flatMap((endpoint) => listIn(endpoint, 'addresses'))
    .filter((address) => typeof address === 'string')
    .flatMap((address) => ports.map((port) => hostAndPort(address, String(port))))
}

function hostAndPort(host: string, port: string): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`
}
