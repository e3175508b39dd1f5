import { logKey, resultKey, resultsPrefix } from './storage-keys.ts'

export interface ObjectOwner {
  readonly accountId: string
  /** The command or file. */
  readonly ownerId: string
  /** null: an object of no attempt, such as an upload or a log; of an orphan: all objects of the owner. */
  readonly attempt: string | null
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const logs = new RegExp(`^private/(${uuid})/logs/(${uuid})\\.txt$`)
const results = new RegExp(`^private/(${uuid})/results/(${uuid})\\.([^/]+)\\.json$`)
const outputs = new RegExp(`^(?:public|private)/(${uuid})/(${uuid})/([^/]+)/.`)
const uploads = new RegExp(`^(?:public|private)/(${uuid})/(${uuid})/[^/]+$`)

/** The reverse of `storage-keys.ts`; null: the service has not written an object with this key. */
export function ownerOfKey(key: string): ObjectOwner | null {
  for (const pattern of [outputs, uploads, logs, results]) {
    const [, accountId, ownerId, attempt = null] = pattern.exec(key) ?? []
    if (accountId !== undefined && ownerId !== undefined) return { accountId, ownerId, attempt }
  }
  return null
}

export interface ObjectPlaces {
  /** Each ends in a slash. */
  readonly folders: readonly string[]
  readonly keys: readonly string[]
  /** Beginning of the keys of result objects; null: `keys` has the only one. */
  readonly results: string | null
}

/** All objects of the owner, and none of another. */
export function placesOf(owner: ObjectOwner): ObjectPlaces {
  const { accountId, ownerId: commandId, attempt } = owner
  const folders = ['public', 'private'].map((half) => `${half}/${accountId}/${commandId}/`)
  if (attempt !== null) {
    return {
      folders: folders.map((folder) => `${folder}${attempt}/`),
      keys: [resultKey({ accountId, commandId, attempt })],
      results: null,
    }
  }
  return {
    folders,
    keys: [logKey({ accountId, commandId })],
    results: `${resultsPrefix(accountId)}${commandId}.`,
  }
}
