import { Agent } from 'node:http'
import { KubeConfig } from '@kubernetes/client-node'
import { createAgent } from './create-agent.ts'
import type { OutgoingHttpHeaders } from 'node:http'
import type { RequestOptions } from 'node:https'
import type { KubeAccess } from './kube-access.ts'

/**
 * Authentication and TLS are those of client-node's KubeConfig. Its own agent is used for a proxy alone, as it closes
 * each connection after one request.
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
      const options: RequestOptions = {}
      await config.applyToHTTPSOptions(options)
      const { auth, agent, ca, cert, key, rejectUnauthorized, servername } = options
      const isProxied = cluster.proxyUrl !== undefined && agent instanceof Agent
      return {
        headers: {
          ...(options.headers as OutgoingHttpHeaders | undefined),
          ...(auth ? { Authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : {}),
        },
        agent: isProxied
          ? agent
          : createAgent(server, { ca, cert, key, rejectUnauthorized, servername }),
      }
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
