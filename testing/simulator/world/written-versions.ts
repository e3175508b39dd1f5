import { compareVersions } from '../../../common/kubernetes/api-conventions.ts'
import { isJsonObject } from '../../../common/json/json-object.ts'
import type { KubeRequest, KubeResponse } from '../../../common/kubernetes/transport.ts'

/**
 * The versions of each process' own writes, from the answers. One that writes again from an older view than
 * that acts upon a world which it has changed itself: the steps it repeats were done long ago.
 */
export interface WrittenVersions {
  /** Before a request leaves. */
  sending(process: string, request: KubeRequest): void
  /** The body of the answer, looked at as it passes. */
  answered(process: string, request: KubeRequest, response: KubeResponse): AsyncIterable<Uint8Array>
}

export function createWrittenVersions(deps: {
  /** Whether an object of that path and uid is still there. */
  exists: (path: string, uid: string) => boolean
  violated: (what: string) => void
}): WrittenVersions {
  const written = new Map<string, { uid: string; version: string }>()
  const sent = new WeakSet<object>()
  return {
    sending(process, request) {
      const { method, body } = request
      if (!isObserved(`${request.path}/`)) return
      const path = pathOf(request)
      const known = written.get(`${process} ${path}`)
      // The client's own repetition of a request that got no answer is as old as the request.
      const isRepeated = typeof body === 'object' && body !== null && sent.has(body)
      if (typeof body === 'object' && body !== null) sent.add(body)
      if (known === undefined || isRepeated) return
      if (method === 'POST' && path.includes('/jobs/') && deps.exists(path, known.uid)) {
        deps.violated(`${process} creates ${path} again, which it has created itself`)
      }
      const { uid, resourceVersion } = metadataOf(body)
      const isSame = uid === undefined || uid === known.uid
      if (method !== 'PATCH' || resourceVersion === undefined || !isSame) return
      if (compareVersions(resourceVersion, known.version) < 0) {
        deps.violated(`${process} writes ${path} from a view older than its own last write`)
      }
    },
    answered(process, request, response) {
      const isWrite = request.method === 'POST' || request.method === 'PATCH'
      const isDone = response.status >= 200 && response.status < 300
      return isWrite && isDone && isObserved(`${request.path}/`)
        ? tapped(response.body, (text) => {
            const { uid, resourceVersion } = metadataOf(JSON.parse(text))
            if (uid === undefined || resourceVersion === undefined) return
            const path = pathOf(request)
            written.set(`${process} ${path}`, { uid, version: resourceVersion })
          })
        : response.body
    },
  }
}

/** A Lease is written by hand from what was read; events are written blindly. */
function isObserved(path: string): boolean {
  return !path.includes('/leases/') && !path.includes('/events/')
}

/** Path of the object, even if its collection or its status was addressed. */
function pathOf({ method, path, body }: KubeRequest): string {
  if (method !== 'POST') return path.replace(/\/status$/, '')
  return `${path}/${metadataOf(body).name ?? ''}`
}

interface Metadata {
  readonly name?: string
  readonly uid?: string
  readonly resourceVersion?: string
}

function metadataOf(body: unknown): Metadata {
  const metadata = isJsonObject(body) && isJsonObject(body['metadata']) ? body['metadata'] : {}
  return { ...textOf('name'), ...textOf('uid'), ...textOf('resourceVersion') }

  function textOf(field: keyof Metadata): Metadata {
    const value = metadata[field]
    return typeof value === 'string' ? { [field]: value } : {}
  }
}

async function* tapped(
  body: AsyncIterable<Uint8Array>,
  see: (text: string) => void,
): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of body) {
    parts.push(part)
    yield part
  }
  see(Buffer.concat(parts).toString())
}
