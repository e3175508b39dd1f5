import path from 'node:path'
import type { Cluster } from '../../local-cluster/host/types.ts'
import type { Postgres } from '../../local-cluster/servers/postgres.ts'
import { publishedNodePort } from '../../local-cluster/host/types.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import type { S3 } from '../../local-cluster/servers/s3.ts'
import type { Say } from '../../local-cluster/host/progress.ts'
import { waitFor } from '../../local-cluster/host/wait-for.ts'
import type { Images } from '../../images/build-images.ts'

export interface Installation {
  readonly url: string
  readonly apiKey: string
  readonly namespace: string
  readonly bucket: string
  /** Chart values as installed, for an upgrade that changes some. */
  readonly values: Values
}

export type Values = Readonly<Record<string, unknown>>

interface Install {
  readonly cluster: Cluster
  readonly postgres: Postgres
  readonly s3: S3
  readonly images: Images
  readonly namespace: string
  /** On top of what this machine needs. */
  readonly values: Values
  readonly say: Say
}

/** Folder of the chart. */
export const chart = path.resolve(import.meta.dirname, '../../charts/cloud-ffmpeg')

/** Installs or upgrades the chart as a user would, with helm, and waits until both servers are ready. */
export async function install(options: Install): Promise<Installation> {
  const { cluster, images, namespace, say } = options
  const bucket = `cloud-ffmpeg-${cluster.instance}`
  await options.s3.createBucket(bucket, { publicPrefix: 'public/' })
  const databaseUrl = await options.postgres.createDatabase(`cloud_ffmpeg_${cluster.instance}`)
  await ensureNamespace(cluster, namespace)
  for (const image of [images.apiServer, images.operator]) {
    await cluster.loadImage(image.archive, image.name)
  }
  // The largest one; nothing needs it before the first command.
  const loadingRunner = cluster.loadImage(images.runner.archive, images.runner.name)
  // Without this, its failure would end the process before the chart's own error is shown.
  loadingRunner.catch(() => undefined)
  const values = merge(localValues({ ...options, bucket, databaseUrl }), options.values)
  say('installing the chart (usually 5 to 10 s)')
  await helmUpgrade(cluster, namespace, values)
  await loadingRunner
  await untilReachable(cluster)
  const apiKey = await kubectl(cluster, [
    '-n',
    namespace,
    'get',
    'secret',
    'cloud-ffmpeg-bootstrap',
    '-o',
    'go-template={{index .data "api-key" | base64decode}}',
  ])
  return { url: cluster.publishedUrl, apiKey, namespace, bucket, values }
}

export async function helmUpgrade(
  cluster: Cluster,
  namespace: string,
  values: Values,
): Promise<void> {
  await runCommand(
    cluster.helm,
    [
      'upgrade',
      '--install',
      'cloud-ffmpeg',
      chart,
      '--namespace',
      namespace,
      '--values',
      '-',
      '--wait',
      '--timeout',
      '180s',
    ],
    { input: JSON.stringify(values), env: { KUBECONFIG: cluster.kubeconfig } },
  )
}

/** To the revision before the present one. */
export async function helmRollback(cluster: Cluster, namespace: string): Promise<void> {
  await runCommand(
    cluster.helm,
    ['rollback', 'cloud-ffmpeg', '--namespace', namespace, '--wait', '--timeout', '180s'],
    { env: { KUBECONFIG: cluster.kubeconfig } },
  )
}

/** A pod is ready a moment before the node's forwarding rules know it. */
export async function untilReachable({ publishedUrl }: Cluster): Promise<void> {
  await waitFor(() => answers(`${publishedUrl}/readyz`), {
    what: `the API at ${publishedUrl}`,
  })
}

export function kubectl(
  cluster: Cluster,
  args: readonly string[],
  input?: string,
): Promise<string> {
  return runCommand(
    cluster.kubectl,
    ['--kubeconfig', cluster.kubeconfig, ...args],
    input === undefined ? {} : { input },
  )
}

/** Restricted Pod Security is enforced, so a pod of ours that breaks it fails here and not at a user's. */
export async function ensureNamespace(cluster: Cluster, namespace: string): Promise<void> {
  const object = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespace,
      labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
    },
  }
  await kubectl(cluster, ['apply', '-f', '-'], JSON.stringify(object))
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
  return response?.ok === true
}

function localValues({
  cluster,
  s3,
  images,
  bucket,
  databaseUrl,
}: Install & { bucket: string; databaseUrl: string }): Values {
  return {
    image: {
      registry: cluster.registry,
      // The images are built here; the default is amd64.
      ...(process.arch === 'arm64' ? { arch: 'arm64' } : {}),
      // Only a given cluster pulls; the clusters of this folder have no registry.
      pullPolicy: cluster.provider === 'kubeconfig' ? 'IfNotPresent' : 'Never',
    },
    database: { url: databaseUrl },
    storage: {
      endpoint: s3.endpoint,
      bucket,
      region: s3.region,
      accessKeyId: s3.accessKeyId,
      secretAccessKey: s3.secretAccessKey,
      // Players and uploads of pages at any address of this machine.
      cors: { apply: true },
    },
    apiServer: {
      tag: tagOf(images.apiServer.name),
      replicas: 1,
      resources: modest,
      // A port-forward would die with the API server's pod.
      service: { type: 'NodePort', nodePort: publishedNodePort },
    },
    operator: {
      tag: tagOf(images.operator.name),
      replicas: 1,
      resources: modest,
    },
    runner: {
      tag: tagOf(images.runner.name),
      // The machine has two cores; commands may request eight vCPUs.
      cpuRequestPerVcpu: 0.02,
      memoryRequestPerVcpu: 0.02,
      transfer: { cpuRequestMillis: 100 },
      memoryPerVcpuMbytes: 1024,
      scratchMbytes: 10240,
    },
    // One's own files can be input: servers of this machine on any port above 1023.
    network: { allowCidrs: [`${cluster.hostAddress}/32`] },
  }
}

/**
 * The kernel weighs containers by these requests when both cores are busy: a server weighs as much as twelve vCPUs of
 * FFmpeg. An upgrade, which runs both servers twice, still finds a place beside two commands of eight vCPUs.
 */
const modest = { requests: { cpu: '250m', memory: '64Mi' } }

function tagOf(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}

/** Merges objects field by field; for any other value the one in `more` wins. */
export function merge(base: Values, more: Values): Values {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(more)) {
    const under = merged[key]
    merged[key] = isValues(under) && isValues(value) ? merge(under, value) : value
  }
  return merged
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
