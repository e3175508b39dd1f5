import { stat } from 'node:fs/promises'
import { KubeConfig, RequestContext } from '@kubernetes/client-node'
import { request as send } from 'undici'
import { isJsonObject, objectIn } from './read-json.ts'
import type { Dispatcher } from 'undici'
import type { Clock } from '../runtime/effects.ts'
import type { KubeRequest, KubeResponse, KubeTransport } from './transport.ts'

export interface SystemTransport extends KubeTransport {
  /** Ends idle connections; open streams end by their signals. */
  close(): Promise<void>
}

export interface SystemTransportDeps {
  /**
   * Builds a new configuration: called at first use and after one of its files has changed. By default
   * that of the pod, or of the user.
   */
  readonly loadConfig?: () => KubeConfig
  readonly clock: Clock
  /**
   * Credential files besides those that the configuration names, e.g. the kubeconfig file itself.
   */
  readonly files?: readonly string[]
}

interface Session {
  readonly config: KubeConfig
  readonly server: string
  readonly files: readonly string[]
  readonly fingerprint: string
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher | null
}

const checkEveryMs = 10_000
/** The keys of service-account tokens come under a type of their own, and as nothing else. */
const anyJson = 'application/json, application/jwk-set+json'

/**
 * The network. Authentication and TLS are those of client-node's KubeConfig; its dispatchers belong
 * to the npm package undici, so its `request` sends them: the `fetch` of Node.js cannot.
 * client-node makes a new dispatcher for every request, so one is kept for as long as its
 * certificates are current: otherwise each call would open its own connection.
 */
export function createSystemTransport(deps: SystemTransportDeps): SystemTransport {
  const { clock, loadConfig = defaultConfig } = deps
  let session: Promise<Session> | null = null
  let checkedMs = -Infinity

  async function transport(request: KubeRequest): Promise<KubeResponse> {
    const response = await exchange(await currentSession(), request)
    // The token may have been replaced: the next call rereads it.
    if (response.status === 401) checkedMs = -Infinity
    return response
  }

  return Object.assign(transport, {
    async close() {
      const last = await session?.catch(() => null)
      await last?.dispatcher?.close()
    },
  })

  function currentSession(): Promise<Session> {
    if (session !== null && clock.monotonicMs() - checkedMs < checkEveryMs) return session
    checkedMs = clock.monotonicMs()
    session = session === null ? open() : renew(session)
    session.catch(() => {
      // The next call tries again: at start the files may not be there yet.
      session = null
    })
    return session
  }

  async function renew(previous: Promise<Session>): Promise<Session> {
    const old = await previous
    try {
      if ((await fingerprintOf(old.files)) === old.fingerprint) {
        const { headers } = await authenticate(old.config, old.server)
        return { ...old, headers }
      }
      const fresh = await open()
      retire(old.dispatcher)
      return fresh
    } catch {
      // Files are replaced one by one: until they fit together the old ones serve on.
      return old
    }
  }

  async function open(): Promise<Session> {
    const config = loadConfig()
    const cluster = config.getCurrentCluster()
    if (cluster === null) throw new Error('the Kubernetes configuration names no current cluster')
    const files = [...filesOf(config), ...(deps.files ?? [])]
    const fingerprint = await fingerprintOf(files)
    const server = cluster.server.replace(/\/+$/, '')
    return { config, server, files, fingerprint, ...(await authenticate(config, server)) }
  }
}

async function authenticate(
  config: KubeConfig,
  server: string,
): Promise<Pick<Session, 'headers' | 'dispatcher'>> {
  const context = new RequestContext(server, 'GET')
  await config.applySecurityAuthentication(context)
  return { headers: context.getHeaders(), dispatcher: context.getDispatcher() ?? null }
}

async function exchange(session: Session, request: KubeRequest): Promise<KubeResponse> {
  const { method, path, query, body, contentType = 'application/json', signal } = request
  const { accept = anyJson } = request
  const { server, headers, dispatcher } = session
  const parameters = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
  const response = await send(server + path + parameters, {
    method,
    signal,
    headers: {
      ...headers,
      accept,
      ...(body === undefined ? {} : { 'content-type': contentType }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    // Deadlines are the client's: a watch may be silent for longer than undici's five minutes.
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(dispatcher === null ? {} : { dispatcher }),
  })
  return {
    status: response.statusCode,
    retryAfterSeconds: secondsOf(response.headers['retry-after']),
    body: response.body,
  }
}

function defaultConfig(): KubeConfig {
  const config = new KubeConfig()
  config.loadFromDefault()
  return config
}

/** The API server sends seconds; a proxy's date is left out. */
function secondsOf(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d+$/.test(header) ? Number(header) : null
}

function filesOf(config: KubeConfig): string[] {
  const user = config.getCurrentUser()
  const provider: unknown = user?.authProvider
  const settings = isJsonObject(provider) ? objectIn(provider, 'config') : {}
  const candidates: unknown[] = [
    config.getCurrentCluster()?.caFile,
    user?.certFile,
    user?.keyFile,
    settings['tokenFile'],
  ]
  return candidates.filter((file) => typeof file === 'string')
}

/** Projected volumes replace files by renaming links, which changes inode and time. */
async function fingerprintOf(files: readonly string[]): Promise<string> {
  const facts = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file).catch(() => null)
      return found === null ? 'absent' : `${found.ino} ${found.mtimeMs} ${found.size}`
    }),
  )
  return facts.join('\n')
}

/** Its running watches end by themselves within a minute. */
function retire(dispatcher: Dispatcher | null): void {
  dispatcher?.close().catch(() => dispatcher.destroy())
}
