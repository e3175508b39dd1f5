import { createServer } from 'node:http'
import { listenAt } from '../../testing/support/http-server.ts'
import type { Listening } from '../../testing/support/http-server.ts'

/** Reads all objects of a kind in the namespace of the release, as `kubectl get KIND -o json` prints them. */
type ListKind = (kind: string) => Promise<readonly unknown[]>

interface Metadata {
  readonly name: string
  readonly namespace: string
  readonly labels?: Readonly<Record<string, string>>
}

interface Pod {
  readonly metadata: Metadata
  readonly spec: {
    readonly containers: readonly {
      readonly name: string
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[]
    }[]
  }
  readonly status: { readonly podIP?: string }
}

interface Service {
  readonly metadata: Metadata
}

interface EndpointSlice {
  readonly metadata: Metadata
  readonly endpoints: readonly {
    readonly addresses: readonly string[]
    readonly targetRef?: { readonly name: string }
  }[]
  readonly ports: readonly { readonly name: string; readonly port: number }[]
}

interface Target {
  readonly targets: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

/**
 * Serves the targets of a cluster for `http_sd_configs`, with the labels of `kubernetes_sd_configs` that the rules of monitors
 * read: Debian builds Prometheus without the latter. `/pod` and `/endpointslice` are its roles.
 */
export function startDiscovery(list: ListKind): Promise<Listening> {
  const server = createServer((request, response) => {
    const found = request.url === '/pod' ? podTargets(list) : sliceTargets(list)
    found.then(
      (targets) => {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(targets))
      },
      // Prometheus keeps the targets of its last answer.
      (error: unknown) => response.writeHead(503).end(String(error)),
    )
  })
  return listenAt('127.0.0.1', server)
}

async function podTargets(list: ListKind): Promise<Target[]> {
  const pods = (await list('pods')) as readonly Pod[]
  return pods.flatMap((pod) =>
    pod.spec.containers.flatMap(({ name: container, ports = [] }) =>
      ports.map(({ name = '', containerPort }) => ({
        targets: [`${pod.status.podIP}:${containerPort}`],
        labels: meta({
          ...labelsOf('pod', pod.metadata),
          pod_container_name: container,
          pod_container_port_name: name,
        }),
      })),
    ),
  )
}

async function sliceTargets(list: ListKind): Promise<Target[]> {
  const [slices, services, pods] = (await Promise.all(
    ['endpointslices', 'services', 'pods'].map(list),
  )) as [readonly EndpointSlice[], readonly Service[], readonly Pod[]]
  return slices.flatMap(({ metadata, endpoints, ports }) => {
    const name = metadata.labels?.['kubernetes.io/service-name']
    const service = services.find((each) => each.metadata.name === name)
    return endpoints.flatMap(({ addresses, targetRef }) => {
      const pod = pods.find((each) => each.metadata.name === targetRef?.name)
      return ports.map(({ name: portName, port }) => ({
        targets: addresses.map((address) => `${address}:${port}`),
        labels: meta({
          ...(pod === undefined ? {} : labelsOf('pod', pod.metadata)),
          ...(service === undefined ? {} : labelsOf('service', service.metadata)),
          namespace: metadata.namespace,
          endpointslice_port_name: portName,
          pod_container_name: containerOf(pod, port),
        }),
      }))
    })
  })
}

function containerOf(pod: Pod | undefined, port: number): string {
  const holds = ({ ports = [] }: Pod['spec']['containers'][number]) =>
    ports.some(({ containerPort }) => containerPort === port)
  return pod?.spec.containers.find(holds)?.name ?? ''
}

function labelsOf(object: 'pod' | 'service', { name, namespace, labels = {} }: Metadata) {
  const own = Object.entries(labels).map(([label, value]): [string, string] => [
    `${object}_label_${label.replaceAll(/\W/g, '_')}`,
    value,
  ])
  return { namespace, [`${object}_name`]: name, ...Object.fromEntries(own) }
}

function meta(labels: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(labels).map(([name, value]): [string, string] => [
    `__meta_kubernetes_${name}`,
    value,
  ])
  return Object.fromEntries(named)
}
