import { withFile } from '../draft/draft.ts'
import { workOf } from '../draft/work/draft-store.ts'
import { go } from '../shell/navigation.ts'
import { inputOf, titleOf } from './file-facts.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { ListedFile } from './file-facts.ts'

/** Long enough to begin a download. */
const downloadSeconds = 300

/** The attribute `download` does nothing for another origin, so the storage says that the file is to be saved. */
export async function download(client: Client, file: ListedFile): Promise<string> {
  const query = { presigned_ttl_seconds: downloadSeconds, download: true }
  const { storage_url: url } = await client.getFile(file.file_id, query)
  if (url === null) throw new Error('The file has been deleted.')
  const link = document.createElement('a')
  link.href = url
  link.rel = 'noopener noreferrer'
  link.click()
  return `${titleOf(file)} is being saved.`
}

export function useInPlayground(profileId: string, files: readonly ListedFile[]): void {
  const work = workOf(profileId)
  const draft = files.reduce((sum, file) => withFile(sum, inputOf(file)), work.peek().draft)
  work.value = { ...work.peek(), draft }
  go({ page: 'playground' })
}
