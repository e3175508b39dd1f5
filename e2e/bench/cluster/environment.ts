import { createClient } from '../../../cli/client/client.ts'
import { stopInstance } from '../../../local-cluster/cluster.ts'
import { bringUp } from '../../installation/bring-up.ts'
import { helmUpgrade, kubectl, merge, untilReachable } from '../../installation/install.ts'
import { createKube } from './kube.ts'
import type { Client } from '../../../cli/client/client.ts'
import type { ClusterSettings } from '../../../local-cluster/host/settings.ts'
import type { Say } from '../../../local-cluster/host/progress.ts'
import type { Running } from '../../installation/bring-up.ts'
import type { Values } from '../../installation/install.ts'
import type { Kube } from './kube.ts'

/** An installation that nothing but the benchmark uses. */
export interface BenchEnvironment extends Running {
  readonly client: Client
  readonly kube: Kube
  readonly settings: ClusterSettings
  readonly say: Say
  /** Runs kubectl in the installation's namespace. */
  readonly kubectl: (...args: string[]) => Promise<string>
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

/** Starts from nothing: what an earlier run left would be measured too. */
export async function startBenchEnvironment({ settings, say }: Options): Promise<BenchEnvironment> {
  await stopInstance({ instance, settings, say })
  // Each start is one of a Job of its own, but where a benchmark has runners that wait.
  const values = { runner: { warm: { max: 0 } } }
  const running = await bringUp({ instance, namespace, settings, say, values })
  const { cluster, installed } = running
  return {
    ...running,
    settings,
    say,
    client: createClient({ url: installed.url, apiKey: installed.apiKey }),
    kube: createKube(cluster.kubeconfig),
    kubectl: (...args) => kubectl(cluster, ['-n', namespace, ...args]),
    async reconfigure(changes) {
      say('other settings for the installation (usually 5 to 20 s)')
      await helmUpgrade(cluster, namespace, merge(installed.values, changes))
      await untilReachable(cluster)
    },
  }
}

export async function stopBenchEnvironment({ settings, say }: Options): Promise<void> {
  await stopInstance({ instance, settings, say })
}
