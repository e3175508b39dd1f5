import { confirmed } from '../parts/confirm.tsx'
import { counted, deletionRequests, deletionText } from './file-facts.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { ListedFile } from './file-facts.ts'

/** Needs a confirmation, which names what goes. @returns the ids of the deleted files; null if the user keeps them */
export async function deleteFiles(
  client: Client,
  files: readonly ListedFile[],
): Promise<ReadonlySet<string> | null> {
  const verb = `Delete ${counted(files.length)}`
  if (!(await confirmed({ title: `${verb}?`, text: deletionText(files), verb }))) return null
  const { many, single } = deletionRequests(files)
  for (const ids of many) await client.bulkDeleteFiles({ file_ids: ids })
  for (const id of single) await client.deleteFile(id)
  return new Set(files.map(({ file_id: id }) => id))
}
