import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import path from 'node:path'
import { createAgent } from './create-agent.ts'
import type { KubeAccess } from './kube-access.ts'

/**
 * The service account of the pod
 * (https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/#directly-accessing-the-rest-api).
 * @param folder of the projected token and of the authority's certificate
 */
export function podAccess({
  host,
  port,
  folder = '/var/run/secrets/kubernetes.io/serviceaccount',
}: {
  readonly host: string
  readonly port: string
  readonly folder?: string
}): KubeAccess {
  const tokenFile = path.join(folder, 'token')
  const authorityFile = path.join(folder, 'ca.crt')
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`
  return {
    server,
    files: [authorityFile, tokenFile],
    async authenticate() {
      const token = (await readFile(tokenFile, 'utf8')).trim()
      const ca = await readFile(authorityFile)
      return { headers: { Authorization: `Bearer ${token}` }, agent: createAgent(server, { ca }) }
    },
  }
}
