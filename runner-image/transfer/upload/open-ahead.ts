import type http from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Opens a connection that the next request of the agent to this host takes: its handshakes are done while
 * FFmpeg runs. One that the server closes before is not used.
 */
export function openAhead(
  agent: http.Agent & { readonly options?: object },
  { protocol, hostname, port }: URL,
): void {
  const isSecure = protocol === 'https:'
  const to = { host: hostname, port: Number(port || (isSecure ? 443 : 80)) }
  const connect = agent.createConnection.bind(agent)
  const servername = isSecure && isIP(hostname) === 0 ? { servername: hostname } : {}
  const opened = connect({ ...agent.options, ...to, ...servername })
  let spare: Duplex | null = opened ?? null
  opened?.on('error', () => (spare = null)).once('close', () => (spare = null))
  agent.createConnection = (options, callback) => {
    const { host, port: wanted } = options
    if (spare === null || host !== to.host || Number(wanted) !== to.port) {
      return connect(options, callback)
    }
    const taken = spare
    spare = null
    return taken
  }
}
