import { stat } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import type { IncomingMessage } from 'node:http'
import type { Credentials, KubeAccess } from './access/kube-access.ts'
import type { Clock } from '../runtime/effects.ts'
import type { KubeRequest, KubeResponse, KubeTransport } from './transport.ts'

export interface SystemTransport extends KubeTransport {
  /** Ends all connections. */
  close(): Promise<void>
}

export interface SystemTransportDeps {
  /** Called at first use and after one of the access's files has changed. */
  readonly loadAccess: () => Promise<KubeAccess>
  readonly clock: Clock
  /** Credential files besides those that the access names, e.g. the kubeconfig file itself. */
  readonly files?: readonly string[]
}

interface Session extends Credentials {
  readonly access: KubeAccess
  readonly files: readonly string[]
  readonly fingerprint: string
}

const checkEveryMs = 10_000
/** The keys of service-account tokens come under a type of their own, and as nothing else. */
const anyJson = 'application/json, application/jwk-set+json'

/**
 * The network. An agent is kept for as long as its certificates are current: one for each call
 * would open a connection for each call.
 */
export function createSystemTransport(deps: SystemTransportDeps): SystemTransport {
  const { clock, loadAccess } = deps
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
      last?.agent.destroy()
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
        const { headers } = await old.access.authenticate()
        return { ...old, headers }
      }
      // Idle connections of the old one end after some seconds, its watches within a minute.
      return await open()
    } catch {
      // Files are replaced one by one: until they fit together the old ones serve on.
      return old
    }
  }

  async function open(): Promise<Session> {
    const access = await loadAccess()
    const files = [...access.files, ...(deps.files ?? [])]
    const fingerprint = await fingerprintOf(files)
    return { access, files, fingerprint, ...(await access.authenticate()) }
  }
}

async function exchange(session: Session, request: KubeRequest): Promise<KubeResponse> {
  const { method, path, query, body, contentType = 'application/json', signal } = request
  const { accept = anyJson } = request
  const { access, headers, agent } = session
  const parameters = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
  const text = body === undefined ? undefined : JSON.stringify(body)
  const response = await send(new URL(access.server + path + parameters), text, {
    method,
    agent,
    signal,
    headers: { ...headers, accept, ...bodyHeaders(text, contentType) },
  })
  return {
    status: response.statusCode ?? 0,
    retryAfterSeconds: secondsOf(response.headers['retry-after']),
    body: response,
  }
}

/** Node sends no length for the body of a DELETE, which the server would then read as the next request. */
function bodyHeaders(text: string | undefined, contentType: string): http.OutgoingHttpHeaders {
  if (text === undefined) return {}
  return { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }
}

/** Without deadlines, which are the client's: a watch may be silent for minutes. */
function send(
  url: URL,
  text: string | undefined,
  options: http.RequestOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options, resolve)
    // A later error belongs to the body, and its reader gets it.
    request.on('error', reject)
    request.end(text)
  })
}

/** The API server sends seconds; a proxy's date is left out. */
function secondsOf(header: string | undefined): number | null {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : null
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
