import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { KubeConfig } from '@kubernetes/client-node'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** A real server where a client expects that of Kubernetes; a test says what it answers. */
export interface ApiServer {
  readonly server: Server
  /** Requests in order; `x-client` is the name in the client's certificate. */
  readonly seen: readonly SeenRequest[]
  /** `{}` to everything until a test changes it. */
  answer: (request: IncomingMessage, response: ServerResponse) => void
  /** @param ca file of the authority that the client trusts */
  config(ca?: string): KubeConfig
  close(): Promise<void>
}

interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export async function startApiServer({
  basePath = '',
  credentials,
}: {
  /** Prefix of every path, as behind a proxy. */
  readonly basePath?: string
  /** Folder of certificates, keys and token (`ca.crt`, `server.crt`, `client.crt`, …): it speaks TLS. */
  readonly credentials?: string
} = {}): Promise<ApiServer> {
  const seen: SeenRequest[] = []
  const listener = (request: IncomingMessage, response: ServerResponse): void =>
    void onRequest(request, response)
  const server =
    credentials === undefined
      ? createServer(listener)
      : createTlsServer(await tlsOptions(credentials), listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const api: ApiServer = {
    server,
    seen,
    answer: (_request, response) => void response.end('{}'),
    config,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return api

  async function onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const { method = '', url = '', headers } = request
    seen.push({ method, url, body, headers: { ...headers, 'x-client': clientName(request) } })
    api.answer(request, response)
  }

  function config(ca = 'ca.crt'): KubeConfig {
    const { port } = server.address() as AddressInfo
    const at = (scheme: string): string => `${scheme}://127.0.0.1:${String(port)}${basePath}`
    const made = new KubeConfig()
    if (credentials === undefined) {
      const cluster = { name: 'cluster', server: at('http'), skipTLSVerify: true }
      made.loadFromClusterAndUser(cluster, { name: 'user' })
      return made
    }
    const file = (name: string): string => path.join(credentials, name)
    made.loadFromClusterAndUser(
      { name: 'cluster', server: at('https'), skipTLSVerify: false, caFile: file(ca) },
      {
        name: 'user',
        certFile: file('client.crt'),
        keyFile: file('client.key'),
        authProvider: { name: 'tokenFile', config: { tokenFile: file('token') } },
      },
    )
    return made
  }
}

async function tlsOptions(folder: string) {
  const [cert, key, ca] = await Promise.all(
    ['server.crt', 'server.key', 'ca.crt'].map((name) => readFile(path.join(folder, name))),
  )
  return { cert, key, ca, requestCert: true, rejectUnauthorized: false }
}

function clientName(request: IncomingMessage): string | undefined {
  const socket = request.socket as Partial<TLSSocket>
  const name = socket.getPeerCertificate?.().subject?.CN
  return typeof name === 'string' ? name : undefined
}
