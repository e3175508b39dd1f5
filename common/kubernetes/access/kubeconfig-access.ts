import { KubeConfig, RequestContext } from '@kubernetes/client-node'
import type { KubeAccess } from './kube-access.ts'

/**
 * Authentication and TLS are those of client-node's KubeConfig; its dispatchers belong to the npm
 * package undici, so its `request` sends them: the `fetch` of Node.js cannot.
 * @param config by default what `kubectl` would use
 */
export function kubeconfigAccess(config: KubeConfig = defaultConfig()): KubeAccess {
  const cluster = config.getCurrentCluster()
  if (cluster === null) throw new Error('the Kubernetes configuration names no current cluster')
  const server = cluster.server.replace(/\/+$/, '')
  return {
    server,
    files: filesOf(config),
    async authenticate() {
      const context = new RequestContext(server, 'GET')
      await config.applySecurityAuthentication(context)
      return { headers: context.getHeaders(), dispatcher: context.getDispatcher() ?? null }
    },
  }
}

function defaultConfig(): KubeConfig {
  const config = new KubeConfig()
  config.loadFromDefault()
  return config
}

function filesOf(config: KubeConfig): string[] {
  const user = config.getCurrentUser()
  // client-node has no type for it.
  const provider = user?.authProvider as { config?: { tokenFile?: unknown } } | undefined
  const candidates: unknown[] = [
    config.getCurrentCluster()?.caFile,
    user?.certFile,
    user?.keyFile,
    provider?.config?.tokenFile,
  ]
  return candidates.filter((file) => typeof file === 'string')
}
