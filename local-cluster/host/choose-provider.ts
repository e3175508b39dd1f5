import { NoCluster } from './types.ts'
import { succeeds } from './run-command.ts'
import type { ClusterSettings, Provider } from './settings.ts'

/** The provider for these settings on this machine. */
export async function chosenProvider(settings: ClusterSettings): Promise<Provider> {
  return chooseProvider({
    wanted: settings.provider,
    platform: process.platform,
    root: process.getuid?.() === 0,
    dockerAnswers,
  })
}

export interface Machine {
  /** The requested provider, if any. */
  readonly wanted: Provider | undefined
  readonly platform: NodeJS.Platform
  readonly root: boolean
  readonly dockerAnswers: () => Promise<boolean>
}

/**
 * The requested provider, else the first that this machine can have.
 *
 * @throws NoCluster saying what is missing and how to get it.
 */
export async function chooseProvider(machine: Machine): Promise<Provider> {
  const canBeLocal = machine.platform === 'linux' && machine.root
  if (machine.wanted === 'local' && !canBeLocal) {
    throw new NoCluster(
      'cluster provider local: it needs Linux and root (network namespaces, mounts); run the same command as root, or use kind with Docker',
    )
  }
  if (machine.wanted === 'kind' && !(await machine.dockerAnswers())) {
    throw new NoCluster(
      'cluster provider kind: Docker does not answer ("docker version"); start Docker and try again',
    )
  }
  if (machine.wanted !== undefined) return machine.wanted
  if (canBeLocal) return 'local'
  if (await machine.dockerAnswers()) return 'kind'
  throw new NoCluster(
    'no Kubernetes cluster can be had here. One of these helps: (1) on Linux, run the same command as root; (2) start Docker, then kind makes ' +
      'a cluster in it; (3) name a cluster of your own by E2E_CLUSTER=kubeconfig with E2E_KUBECONFIG, E2E_HOST_ADDRESS, E2E_NODE_ADDRESS and E2E_REGISTRY',
  )
}

/** Whether there is a Docker server, not just its command. */
export async function dockerAnswers(): Promise<boolean> {
  return succeeds('docker', ['version', '--format', '{{.Server.Version}}'], { timeoutMs: 10_000 })
}
