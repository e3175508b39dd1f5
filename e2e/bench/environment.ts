import { createClient } from '../../api-server/client/client.ts'
import type { Client } from '../../api-server/client/client.ts'
import { startCluster } from '../cluster/cluster.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { stopInstance } from '../cluster/instances.ts'
import { startPostgres } from '../cluster/postgres.ts'
import { startS3 } from '../cluster/s3.ts'
import type { ClusterSettings } from '../cluster/settings.ts'
import type { Say } from '../cluster/tools/progress.ts'
import { buildImages } from '../installation/images.ts'
import type { Images } from '../installation/images.ts'
import { install, kubectl } from '../installation/install.ts'
import { createKube } from './kube.ts'
import type { Kube } from './kube.ts'

/** An installation that nothing but the benchmark uses. */
export interface BenchEnvironment {
  readonly cluster: Cluster
  readonly images: Images
  readonly client: Client
  readonly kube: Kube
  /** Of the installation and its commands. */
  readonly namespace: string
  /** For peers, out of sight of the operator and of the chart's policies. */
  readonly peerNamespace: string
}

interface Options {
  readonly settings: ClusterSettings
  readonly say: Say
}

const instance = 'bench'
const namespace = 'cloud-ffmpeg'
const peerNamespace = 'bench-peers'

/** Starts from nothing: what an earlier run left would be measured too. */
export async function startBenchEnvironment({ settings, say }: Options): Promise<BenchEnvironment> {
  await stopInstance({ instance, settings, say })
  const cluster = await startCluster({ instance, settings, say })
  const { hostAddress } = cluster
  const [postgres, s3] = await Promise.all([
    startPostgres({ instance, hostAddress, say }),
    startS3({ instance, hostAddress, settings, say }),
  ])
  const images = await buildImages({ registry: cluster.registry, settings, say })
  const installed = await install({
    ...{ cluster, postgres, s3, images, namespace, say },
    // Soon gone, so that the requests of a command's whole life can be counted.
    values: { operator: { keepFinishedSeconds: 5, keepFinished: 0 } },
  })
  const peers = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: peerNamespace } }
  await kubectl(cluster, ['apply', '-f', '-'], JSON.stringify(peers))
  return {
    ...{ cluster, images, namespace, peerNamespace },
    client: createClient({ url: installed.url, apiKey: installed.apiKey }),
    kube: createKube(cluster.kubeconfig),
  }
}

export async function stopBenchEnvironment({ settings, say }: Options): Promise<void> {
  await stopInstance({ instance, settings, say })
}
