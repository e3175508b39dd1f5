import { reasonOf } from '../client/errors.ts'
import { attempt, bad, good, note } from './finding.ts'
import type { Client } from '../client/client.ts'
import type { Shell } from '../terminal/shell.ts'
import type { Finding } from './finding.ts'

/** Enough for the one request that follows. */
const presignedSeconds = 60

/**
 * Reads one byte of the newest file that is stored: uploads and downloads go to the same place. A
 * public file also shows whether the bucket may be read, so it comes before private ones.
 * @param service its address, from which the console is served too
 */
export async function checkStorage(
  client: Client,
  service: string,
  { fetch, signal }: Shell,
): Promise<Finding[]> {
  const file = await attempt(() => fileToRead(client, signal))
  if (file instanceof Error) return [bad('storage', file.message)]
  if (file === null) return [good('storage', 'not tried: no file is stored yet')]
  const { origin } = new URL(file.url)
  const page = new URL(service).origin
  const headers = { range: 'bytes=0-0', origin: page }
  const response = await attempt(() => fetch(file.url, { headers, signal }))
  if (response instanceof Error) {
    const text = `${origin} does not answer: ${reasonOf(response)}. Is its public address set?`
    return [bad('storage', text)]
  }
  await response.body?.cancel()
  if (!response.ok) {
    const remedy = file.isPrivate
      ? 'does it take presigned URLs, and is its clock right?'
      : 'does it allow reading public files?'
    return [bad('storage', `${origin} answers ${response.status}: ${remedy}`)]
  }
  return [good('storage', origin), browsersIn(response, page)]
}

/** A private file has no URL that opens before one is presigned, which needs one that is STORED. */
async function fileToRead(client: Client, signal: AbortSignal) {
  const files = await client.listFiles({ limit: 20 }, { signal })
  const stored = files.filter(
    ({ storage_url, is_private, status }) =>
      storage_url !== null && (!is_private || status === 'STORED'),
  )
  const file = stored.find(({ is_private }) => !is_private) ?? stored[0]
  if (file === undefined) return null
  if (!file.is_private) return { url: file.storage_url ?? '', isPrivate: false }
  const ttl = { presigned_ttl_seconds: presignedSeconds }
  const signed = await client.getFile(file.file_id, ttl, { signal })
  return { url: signed.storage_url ?? '', isPrivate: true }
}

/** The console uploads and reads files by scripts, which the storage has to allow (CORS). */
function browsersIn({ headers }: Response, page: string): Finding {
  const allowed = headers.get('access-control-allow-origin')
  if (allowed === '*' || allowed === page)
    return good('CORS', `pages of ${page} may use the storage`)
  return note(
    'CORS',
    `the storage refuses pages of ${page}, so the console cannot upload; an administrator allows it: admin storage cors --origin ${page}`,
  )
}
