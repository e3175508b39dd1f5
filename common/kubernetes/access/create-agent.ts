import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { AgentOptions } from 'node:https'

type ServerTls = Pick<AgentOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>

/** Load balancers cut idle connections after 60 s, and the API server of Kubernetes after 90 s. */
const idleMs = 30_000

/** Connections that are used again. A watch holds one of its own, so their number has no limit. */
export function createAgent(server: string, tls: ServerTls = {}): HttpAgent {
  const options = { keepAlive: true, keepAliveMsecs: idleMs, timeout: idleMs }
  return server.startsWith('https:')
    ? new HttpsAgent({ ...options, ...tls })
    : new HttpAgent(options)
}
