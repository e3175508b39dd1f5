import { createClient } from '../../api-server/client/client.ts'
import type { Client } from '../../api-server/client/client.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { stopInstance } from '../cluster/instances.ts'
import type { ClusterSettings } from '../cluster/settings.ts'
import type { Say } from '../cluster/tools/progress.ts'
import type { Images } from '../installation/images.ts'
import { bringUp } from '../installation/bring-up.ts'
import { kubectl } from '../installation/install.ts'
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
  const { cluster, images, installed } = await bringUp({
    ...{ instance, namespace, settings, say },
    // Soon gone, so that the requests of a command's whole life can be counted.
    values: { operator: { keepFinishedSeconds: 5, keepFinished: 0 } },
  })
  const peers = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: peerNamespace } }
  await kubectl(cluster, ['apply', '-f', '-'], JSON.stringify(peers))
  const client = createClient({ url: installed.url, apiKey: installed.apiKey })
  return {
    ...{ cluster, images, client, namespace, peerNamespace },
    kube: createKube(cluster.kubeconfig),
  }
}

export async function stopBenchEnvironment({ settings, say }: Options): Promise<void> {
  await stopInstance({ instance, settings, say })
}
