import { statusRecord } from '../commands/read/view.ts'
import { fileRecord } from '../files/file-record.ts'
import { isPresigned } from '../files/file-urls.ts'
import type { Store } from '../../common/store/store.ts'
import type { ClaimedDelivery } from '../../common/store/webhooks.ts'
import type { FileUrls } from '../files/file-urls.ts'
import type { CommandStatusRecord, FileRecord } from '../../common/openapi/openapi-types.ts'

interface Deps {
  readonly store: Pick<Store, 'findCommand' | 'findFile'>
  readonly fileUrls: FileUrls
}

/** The body of an event: the record as in the API, and the event's time in Unix ms. */
export function eventBody(data: CommandStatusRecord | FileRecord, at: Date): string {
  return JSON.stringify({ data, timestamp: at.getTime() })
}

type Subject = Pick<ClaimedDelivery, 'accountId' | 'commandId' | 'fileId' | 'createdAt'>

/**
 * With plain URLs: what is kept for all attempts must neither grant access nor expire.
 * @returns null if the command or file was deleted
 */
export async function eventBodyOf(
  { store, fileUrls }: Deps,
  delivery: Subject,
): Promise<string | null> {
  const { accountId, commandId, fileId, createdAt } = delivery
  if (commandId !== null) {
    const command = await store.findCommand(accountId, commandId)
    if (command === null) return null
    return eventBody(statusRecord(command, await fileUrls(command.files, 0)), createdAt)
  }
  const file = fileId === null ? null : await store.findFile(accountId, fileId)
  if (file === null) return null
  return eventBody(fileRecord(file, await fileUrls([file], 0)), createdAt)
}

/** The kept body as one attempt sends it: the lifetime of URLs that `presigned_ttl_seconds` requests begins with it. */
export async function presignedBody(
  { store, fileUrls }: Deps,
  { accountId, commandId, fileId }: Subject,
  body: string,
): Promise<string> {
  if (!body.includes('"is_private":true')) return body
  const command = commandId === null ? null : await store.findCommand(accountId, commandId)
  const file = fileId === null ? null : await store.findFile(accountId, fileId)
  const files = command?.files ?? (file === null ? [] : [file])
  if (!files.some((each) => isPresigned(each, null))) return body
  const urlOf = await fileUrls(files, null)
  const urls = new Map(files.map((each) => [each.fileId, urlOf(each)]))
  // Made by `eventBody`, so the cast is safe.
  const { data, ...rest } = JSON.parse(body) as { data: CommandStatusRecord | FileRecord }
  return JSON.stringify({ data: withUrls(data, urls), ...rest })
}

function withUrls(
  data: CommandStatusRecord | FileRecord,
  urls: ReadonlyMap<string, string | null>,
): CommandStatusRecord | FileRecord {
  const signed = (file: FileRecord): FileRecord => ({
    ...file,
    storage_url: urls.get(file.file_id) ?? file.storage_url,
  })
  if (!('output_files' in data)) return signed(data)
  const outputs = Object.entries(data.output_files ?? {})
  return {
    ...data,
    output_files: Object.fromEntries(outputs.map(([alias, file]) => [alias, signed(file)])),
  }
}
