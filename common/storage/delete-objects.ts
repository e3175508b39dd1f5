import { DeleteObjectCommand, DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import { createLimit } from '../bounded/limit.ts'
import { asking, isPassing } from './client.ts'
import { ObjectStoreUnavailable } from './object-store.ts'

interface Deleting {
  readonly client: S3Client
  readonly Bucket: string
  /** The store has DeleteObjects; that of Google has not. */
  readonly isBulk: boolean
}

/** Requests at a time, without DeleteObjects. */
const atOnce = 16

/**
 * DeleteObjects answers 200 even if it has deleted nothing: each key has a result of its own. A request
 * that is refused as a whole (one key that the store cannot parse is enough) is halved until the keys
 * at fault are alone.
 * @returns the keys whose objects still exist, with the reason of each
 */
export async function deleteObjects(
  deleting: Deleting,
  keys: readonly string[],
): Promise<Map<string, Error>> {
  if (keys.length === 0) return new Map()
  if (!deleting.isBulk) return deleteEach(deleting, keys)
  const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true }
  const command = new DeleteObjectsCommand({ Bucket: deleting.Bucket, Delete })
  try {
    const answer = await asking(() => deleting.client.send(command))
    const refused = (answer?.Errors ?? []).filter(({ Code }) => Code !== 'NoSuchKey')
    return new Map(refused.map(({ Key = '', Code = 'Error' }) => [Key, reasonOf(Key, Code)]))
  } catch (error) {
    if (error instanceof ObjectStoreUnavailable || !(error instanceof Error)) throw error
    const [first = ''] = keys
    if (keys.length === 1) return new Map([[first, error]])
    const middle = Math.ceil(keys.length / 2)
    return new Map([
      ...(await deleteObjects(deleting, keys.slice(0, middle))),
      ...(await deleteObjects(deleting, keys.slice(middle))),
    ])
  }
}

async function deleteEach(
  { client, Bucket }: Deleting,
  keys: readonly string[],
): Promise<Map<string, Error>> {
  const limited = createLimit(atOnce)
  const refused = new Map<string, Error>()
  await Promise.all(
    keys.map((Key) =>
      limited(async () => {
        try {
          const command = new DeleteObjectCommand({ Bucket, Key })
          await asking(() => client.send(command), ['NoSuchKey', 'NotFound'])
        } catch (error) {
          if (!(error instanceof Error)) throw error
          refused.set(Key, error)
        }
      }),
    ),
  )
  return refused
}

/**
 * @returns how many objects were deleted
 * @throws the reason of the first object that was not, after all others have gone
 */
export async function deletePrefix(deleting: Deleting, prefix: string): Promise<number> {
  // An empty prefix is the whole bucket; no caller means that.
  if (!prefix.endsWith('/')) throw new TypeError(`'${prefix}' does not end in a slash`)
  let deleted = 0
  let first: Error | undefined
  let after: string | undefined
  for (;;) {
    // The first page again, since its objects are gone by now, but for those that were refused.
    const list = new ListObjectsV2Command({
      Bucket: deleting.Bucket,
      Prefix: prefix,
      StartAfter: after,
    })
    const page = await asking(() => deleting.client.send(list))
    const keys = (page?.Contents ?? []).flatMap(({ Key }) => Key ?? [])
    if (keys.length === 0) {
      if (first !== undefined) throw first
      return deleted
    }
    const refused = await deleteObjects(deleting, keys)
    deleted += keys.length - refused.size
    if (refused.size === 0) continue
    first ??= [...refused.values()][0]
    after = keys.at(-1)
  }
}

function reasonOf(key: string, code: string): Error {
  const reason = new Error(`the object store did not delete '${key}': ${code}`)
  return isPassing(code) ? new ObjectStoreUnavailable(reason) : reason
}
