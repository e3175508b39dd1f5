import { ApiError } from '../client/errors.ts'
import type { Client, Submission } from '../client/client-with-effects.ts'

interface StoredPlace {
  /** Id of the uploaded or stored file, or of the command that made the output. */
  readonly owner: string
  readonly isOutput: boolean
}

/** Aliases of inputs in the storage of the service that it has deleted since: a command would fail at them. */
export async function deletedInputs(
  client: Client,
  request: Submission,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = []
  for (const [alias, url] of Object.entries(request.input_files ?? {})) {
    if (await isDeleted(client, url, signal)) found.push(alias)
  }
  return found
}

async function isDeleted(client: Client, url: string, signal: AbortSignal): Promise<boolean> {
  const place = placeOf(url)
  if (place === null) return false
  try {
    if (!place.isOutput) return (await client.getFile(place.owner, {}, { signal })).is_deleted
    const { output_files } = await client.getCommand(place.owner, {}, { signal })
    const files = Object.values(output_files ?? {})
    return files.length > 0 && files.every(({ is_deleted }) => is_deleted)
  } catch (error) {
    // The file is of another service or account, so only the runner can find out.
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}

const id = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'
/** Uploads lie directly below their id, outputs below that of the attempt too. */
const stored = new RegExp(`/(?:public|private)/${id}/(${id})/(.+)$`, 'i')

function placeOf(url: string): StoredPlace | null {
  const [, owner, path] = URL.canParse(url) ? (stored.exec(new URL(url).pathname) ?? []) : []
  if (owner === undefined || path === undefined) return null
  return { owner, isOutput: path.includes('/') }
}
