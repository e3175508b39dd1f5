import type { Cluster, StartOptions } from '../host/types.ts'
import { publishedNodePort, NoCluster } from '../host/types.ts'
import { runCommand } from '../host/run-command.ts'
import type { ClusterSettings } from '../host/settings.ts'
import { findCommand } from '../tools/find-command.ts'
import { helmCommand } from '../tools/helm.ts'

/**
 * A cluster that the user has, described by settings. It is never created or removed. Images go to the user's registry by
 * docker. Small on purpose, and not exercised.
 *
 * @throws NoCluster naming the setting that is missing.
 */
export async function useKubeconfigCluster(options: StartOptions): Promise<Cluster> {
  const { settings, say } = options
  const kubeconfig = needed(settings, 'kubeconfig', 'E2E_KUBECONFIG')
  const registry = needed(settings, 'registry', 'E2E_REGISTRY')
  const nodeAddress = needed(settings, 'nodeAddress', 'E2E_NODE_ADDRESS')
  const kubectl = await findCommand('kubectl')
  if (kubectl === undefined) {
    throw new NoCluster('kubectl is not on PATH: https://kubernetes.io/docs/tasks/tools/')
  }
  await runCommand(kubectl, ['--kubeconfig', kubeconfig, 'get', '--raw', '/readyz'])
  return {
    provider: 'kubeconfig',
    instance: options.instance,
    kubeconfig,
    hostAddress: needed(settings, 'hostAddress', 'E2E_HOST_ADDRESS'),
    nodeAddress,
    publishedUrl: `http://${nodeAddress}:${publishedNodePort}`,
    // not known: any private address
    podCidr: '10.0.0.0/8',
    registry,
    kubectl,
    helm: await helmCommand({ settings, say }),
    async loadImage(archive, name) {
      await runCommand('docker', ['load', '--input', archive])
      await runCommand('docker', ['push', name])
    },
    stop: () => Promise.resolve(),
  }
}

function needed(
  settings: ClusterSettings,
  field: 'kubeconfig' | 'registry' | 'hostAddress' | 'nodeAddress',
  variable: string,
): string {
  const value = settings[field]
  if (value === undefined) throw new NoCluster(`cluster provider kubeconfig: set ${variable}`)
  return value
}
