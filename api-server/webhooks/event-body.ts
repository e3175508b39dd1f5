import { statusRecord } from '../commands/read/view.ts'
import { fileRecord } from '../files/file-record.ts'
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

/** @returns null if the command or file was deleted */
export async function eventBodyOf(
  { store, fileUrls }: Deps,
  delivery: Pick<ClaimedDelivery, 'accountId' | 'commandId' | 'fileId' | 'createdAt'>,
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
