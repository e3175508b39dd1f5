import type { Clock } from '../../../common/runtime/effects.ts'

/** The result of one cross-origin request to the bucket. */
export interface CorsCheck {
  readonly what: 'upload' | 'read'
  readonly origin: string
  readonly url: string
  /** null: the storage allows it. */
  readonly problem: string | null
}

interface Options {
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly origin: string
  /** An address that users upload to. */
  readonly partUrl: string
  /** Public URL of an object; null if the bucket has no public object yet. */
  readonly publicUrl: string | null
}

const timeoutMs = 10_000

/** Sends the requests of a browser for a page of that origin: the preflight of an upload, and a read. */
export async function checkCors(options: Options): Promise<CorsCheck[]> {
  const { origin, partUrl, publicUrl } = options
  // The query of a presigned URL is a credential, which must not be printed.
  const [url = ''] = partUrl.split('?')
  const upload: CorsCheck = {
    what: 'upload',
    origin,
    url,
    problem: await uploadProblem(options, partUrl),
  }
  if (publicUrl === null) return [upload]
  const problem = await readProblem(options, publicUrl)
  return [upload, { what: 'read', origin, url: publicUrl, problem }]
}

function uploadProblem(options: Options, url: string): Promise<string | null> {
  const headers = {
    Origin: options.origin,
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'content-type',
  }
  return problemOf(options, url, { method: 'OPTIONS', headers }, [
    ['Access-Control-Allow-Methods', 'PUT'],
    ['Access-Control-Allow-Headers', 'content-type'],
  ])
}

function readProblem(options: Options, url: string): Promise<string | null> {
  const headers = { Origin: options.origin, Range: 'bytes=0-0' }
  return problemOf(options, url, { headers }, [['Access-Control-Expose-Headers', 'ETag']])
}

async function problemOf(
  { fetch, clock, origin }: Options,
  url: string,
  init: RequestInit,
  listed: readonly (readonly [header: string, value: string])[],
): Promise<string | null> {
  const late = new AbortController()
  const stopClock = clock.schedule(timeoutMs, () =>
    late.abort(new Error(`no answer within ${timeoutMs} ms`)),
  )
  try {
    // A preflight that is redirected fails in browsers.
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: late.signal,
    })
    await answer.body?.cancel()
    const allowed = answer.headers.get('access-control-allow-origin')
    if (allowed !== '*' && allowed !== origin) {
      const found = allowed === null ? 'is missing' : `is ${allowed}`
      return `Access-Control-Allow-Origin ${found} (status ${answer.status})`
    }
    if (!answer.ok) return `status ${answer.status}`
    const lacking = listed.find(([header, value]) => !lists(answer.headers.get(header), value))
    return lacking === undefined ? null : `${lacking[0]} does not list ${lacking[1]}`
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return `no answer: ${cause instanceof Error ? cause.message : String(cause)}`
  } finally {
    stopClock()
  }
}

function lists(header: string | null, value: string): boolean {
  const values = (header ?? '').split(',').map((one) => one.trim().toLowerCase())
  return values.includes('*') || values.includes(value.toLowerCase())
}
