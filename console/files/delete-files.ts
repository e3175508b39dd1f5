import { confirmed } from '../parts/confirm.tsx'
import { counted, deletionText, isPlaylist } from './file-facts.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { ListedFile } from './file-facts.ts'

/** Most files that one request may delete. */
const mostAtOnce = 1_000

/** Needs a confirmation, which names what goes. @returns the ids of the deleted files; null if the user keeps them */
export async function deleteFiles(
  client: Client,
  files: readonly ListedFile[],
): Promise<ReadonlySet<string> | null> {
  const yes = await confirmed({
    title: `Delete ${counted(files.length)}?`,
    text: deletionText(files),
    verb: `Delete ${counted(files.length)}`,
  })
  if (!yes) return null
  const ids = files.filter((file) => !isPlaylist(file)).map(({ file_id: id }) => id)
  for (let from = 0; from < ids.length; from += mostAtOnce) {
    await client.bulkDeleteFiles({ file_ids: ids.slice(from, from + mostAtOnce) })
  }
  // A playlist takes its segments along, which the call for many files refuses.
  for (const { file_id: id } of files.filter(isPlaylist)) await client.deleteFile(id)
  return new Set(files.map(({ file_id: id }) => id))
}
