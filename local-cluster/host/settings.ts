import path from 'node:path'

export const providers = ['local', 'kind', 'kubeconfig'] as const
export type Provider = (typeof providers)[number]

export interface ClusterSettings {
  /** Binaries, images and build state that outlive every instance. */
  readonly cacheFolder: string
  /** Left out: chosen by what this machine offers. */
  readonly provider?: Provider
  /** The next four are for provider kubeconfig. */
  readonly kubeconfig?: string
  readonly hostAddress?: string
  readonly nodeAddress?: string
  readonly registry?: string
}

/**
 * Reads `E2E_CLUSTER` (local, kind, kubeconfig), `E2E_KUBECONFIG`, `E2E_HOST_ADDRESS` (where pods find servers of this machine),
 * `E2E_NODE_ADDRESS` (where this machine finds NodePorts), `E2E_REGISTRY` (that the cluster pulls from and this machine pushes to),
 * and the cache folder from `CLOUD_FFMPEG_CACHE`, else `XDG_CACHE_HOME`, else `HOME`.
 *
 * @throws Error naming the variable that is wrong or missing.
 */
export function clusterSettings(
  environment: Readonly<Record<string, string | undefined>>,
): ClusterSettings {
  const given = (name: string) => environment[name] || undefined
  const provider = given('E2E_CLUSTER')
  const kubeconfig = given('E2E_KUBECONFIG')
  const hostAddress = given('E2E_HOST_ADDRESS')
  const nodeAddress = given('E2E_NODE_ADDRESS')
  const registry = given('E2E_REGISTRY')
  return {
    cacheFolder: cacheFolder(given),
    ...(provider === undefined ? {} : { provider: parseProvider(provider) }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(hostAddress === undefined ? {} : { hostAddress }),
    ...(nodeAddress === undefined ? {} : { nodeAddress }),
    ...(registry === undefined ? {} : { registry }),
  }
}

/** @throws Error listing the providers there are. */
export function parseProvider(text: string): Provider {
  const provider = providers.find((each) => each === text)
  if (provider === undefined) {
    throw new Error(`cluster provider ${JSON.stringify(text)}: use one of ${providers.join(', ')}`)
  }
  return provider
}

function cacheFolder(given: (name: string) => string | undefined): string {
  const chosen = given('CLOUD_FFMPEG_CACHE')
  if (chosen !== undefined) return path.resolve(chosen)
  const shared = given('XDG_CACHE_HOME')
  if (shared !== undefined) return path.join(path.resolve(shared), 'cloud-ffmpeg')
  const home = given('HOME')
  if (home === undefined) {
    throw new Error('no folder for the cache: set CLOUD_FFMPEG_CACHE to a folder with 10 GB free')
  }
  return path.join(home, '.cache', 'cloud-ffmpeg')
}
