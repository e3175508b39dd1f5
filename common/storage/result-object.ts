import { gunzipSync, gzipSync } from 'node:zlib'
import { resultKey } from '../domain/storage-keys.ts'
import type { RecordedResult } from '../store/attempts.ts'
import type { SmallObjects } from './object-store.ts'

/**
 * A result object: a SUCCESS as gzip of JSON, stored in the bucket before a custom resource shows it.
 * A database that loses its last commits gets it back from here.
 */
const format = 1
/** The longest request has 512 KB, and the record of one has it twice. */
const largestText = 4 * 1024 * 1024

interface ResultObject {
  readonly format: typeof format
  readonly result: RecordedResult
}

export function resultObject(result: RecordedResult): Parameters<SmallObjects['putBytes']>[0] {
  const { commandId, attempt, submission } = result
  const content: ResultObject = { format, result }
  return {
    key: resultKey({ accountId: submission.accountId, commandId, attempt }),
    contentType: 'application/gzip',
    attachment: false,
    bytes: gzipSync(JSON.stringify(content)),
  }
}

/**
 * @returns null if there is none
 * @throws if the object is not one that this or an earlier release has written for the attempt
 */
export async function readResult(
  storage: Pick<SmallObjects, 'readBytes'>,
  of: { readonly accountId: string; readonly commandId: string; readonly attempt: string },
): Promise<RecordedResult | null> {
  const key = resultKey(of)
  const bytes = await storage.readBytes({ key, maxBytes: largestText })
  if (bytes === null) return null
  const text = gunzipSync(bytes, { maxOutputLength: largestText }).toString()
  const content = JSON.parse(text) as Partial<ResultObject>
  const { result } = content
  const isOf = result?.commandId === of.commandId && result.attempt === of.attempt
  if (content.format !== format || !isOf) throw new Error(`${key} is not a result of its attempt`)
  return result
}
