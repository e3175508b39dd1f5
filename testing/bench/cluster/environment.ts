import { createClient } from '../../../cli/client/client.ts'
import { stopInstance } from '../../../e2e/cluster/cluster.ts'
import { bringUp } from '../../../e2e/installation/bring-up.ts'
import { helmUpgrade, kubectl, merge, untilReachable } from '../../../e2e/installation/install.ts'
import { createKube } from './kube.ts'
import type { Client } from '../../../cli/client/client.ts'
import type { Cluster } from '../../../e2e/cluster/host/types.ts'
import type { Postgres } from '../../../e2e/cluster/servers/postgres.ts'
import type { S3 } from '../../../e2e/cluster/servers/s3.ts'
import type { ClusterSettings } from '../../../e2e/cluster/host/settings.ts'
import type { Say } from '../../../e2e/cluster/host/progress.ts'
import type { Images } from '../../../e2e/installation/images.ts'
import type { Installation, Values } from '../../../e2e/installation/install.ts'
import type { Kube } from './kube.ts'

/** An installation that nothing but the benchmark uses. */
export interface BenchEnvironment {
  /** Name of the local cluster. */
  readonly instance: string
  readonly cluster: Cluster
  readonly images: Images
  readonly installed: Installation
  readonly client: Client
  readonly kube: Kube
  /** Namespace of the installation and its commands. */
  readonly namespace: string
  /** For peers, out of sight of the operator and of the chart's policies. */
  readonly peerNamespace: string
  readonly postgres: Postgres
  readonly s3: S3
  readonly bucket: string
  readonly settings: ClusterSettings
  readonly say: Say
  /** Other chart values on top of those of the start; returns when both servers run with them. */
  reconfigure(values: Values): Promise<void>
}

interface Options {
  readonly settings: ClusterSettings
  readonly say: Say
}

/** `E2E_INSTANCE` names another one, so that two checkouts can measure side by side. */
const instance = process.env['E2E_INSTANCE'] || 'bench'
const namespace = 'cloud-ffmpeg'
const peerNamespace = 'bench-peers'

/** Starts from nothing: what an earlier run left would be measured too. */
export async function startBenchEnvironment({ settings, say }: Options): Promise<BenchEnvironment> {
  await stopInstance({ instance, settings, say })
  const { cluster, images, installed, postgres, s3 } = await bringUp({
    instance,
    namespace,
    settings,
    say,
    values: {
      // Soon gone, so that the requests of a command's whole life can be counted.
      operator: { keepFinishedSeconds: 5, keepFinished: 0 },
      // Each start is one of a Job of its own, but where a benchmark has runners that wait.
      runner: { warm: { max: 0 } },
    },
  })
  const peers = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: peerNamespace } }
  await kubectl(cluster, ['apply', '-f', '-'], JSON.stringify(peers))
  const client = createClient({ url: installed.url, apiKey: installed.apiKey })
  return {
    cluster,
    images,
    client,
    namespace,
    peerNamespace,
    postgres,
    s3,
    settings,
    say,
    instance,
    installed,
    bucket: installed.bucket,
    kube: createKube(cluster.kubeconfig),
    async reconfigure(values) {
      say('other settings for the installation (usually 5 to 20 s)')
      await helmUpgrade(cluster, namespace, merge(installed.values, values))
      await untilReachable(cluster)
    },
  }
}

export async function stopBenchEnvironment({ settings, say }: Options): Promise<void> {
  await stopInstance({ instance, settings, say })
}
