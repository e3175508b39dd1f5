import { createLimit } from '../../../common/bounded/limit.ts'
import type { ObjectListing } from '../../../common/storage/object-store.ts'
import type { FilePlace } from '../../../common/store/administration/restore-check.ts'
import type { AdminDeps } from '../command/admin-command.ts'

export interface LostFile {
  readonly fileId: string
  /** Name of the account. */
  readonly account: string
  readonly key: string
}

const pageRows = 500
const requestsAtATime = 16

/**
 * Stored files without their object. A row exists only after its object does, so an object that is missing after
 * its row was read is gone. A playlist counts by its manifest.
 */
export async function findLost(
  { store, report }: Pick<AdminDeps, 'store' | 'report'>,
  objects: Pick<ObjectListing, 'head'>,
  accounts: readonly { readonly accountId: string; readonly name: string }[],
): Promise<{ files: number; lost: LostFile[] }> {
  const limit = createLimit(requestsAtATime)
  const lost: LostFile[] = []
  let files = 0
  for (const { accountId, name } of accounts) {
    let after: FilePlace | null = null
    do {
      const page: Awaited<ReturnType<typeof store.pageStoredFiles>> = await store.pageStoredFiles({
        accountId,
        after,
        limit: pageRows,
      })
      const found = await Promise.all(page.map(({ key }) => limit(() => objects.head(key))))
      for (const [index, { fileId, key }] of page.entries()) {
        if (found[index] === null) lost.push({ fileId, account: name, key })
      }
      const before = files
      files += page.length
      if (Math.floor(before / 10_000) < Math.floor(files / 10_000)) {
        report(`${files} files are compared with the bucket`)
      }
      after = page.length < pageRows ? null : (page.at(-1) ?? null)
    } while (after !== null)
  }
  return { files, lost }
}

/** @returns how many were not deleted meanwhile */
export async function markLost(
  { store }: Pick<AdminDeps, 'store'>,
  lost: readonly LostFile[],
): Promise<number> {
  let marked = 0
  for (let from = 0; from < lost.length; from += pageRows) {
    const fileIds = lost.slice(from, from + pageRows).map(({ fileId }) => fileId)
    marked += await store.markFilesLost(fileIds)
  }
  return marked
}
