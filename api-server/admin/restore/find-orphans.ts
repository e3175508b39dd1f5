import { ownerOfKey } from '../../../common/domain/object-owner.ts'
import { accountPrefixes, resultKey } from '../../../common/domain/storage-keys.ts'
import type { ObjectOwner } from '../../../common/domain/object-owner.ts'
import type { ListedObject, ObjectListing } from '../../../common/storage/object-store.ts'
import type { FoundOrphan, Orphan } from '../../../common/store/administration/restore-check.ts'
import type { AdminDeps } from '../command/admin-command.ts'

export interface BucketSize {
  objects: number
  bytes: number
}

export interface FoundObjects {
  readonly listed: BucketSize
  /** Keys that the service does not write. */
  readonly unknown: BucketSize
  readonly orphans: readonly (Orphan & { readonly foundAt: Date | null })[]
}

type Deps = Pick<AdminDeps, 'store' | 'report'>

/**
 * Objects that belong to no row. A row exists before its first object is written, and rows are read after the
 * objects were listed, so an object of a command that was submitted meanwhile is never an orphan.
 * @param accountId null: all, accounts that do not exist included
 */
export async function findOrphans(
  deps: Deps,
  objects: ObjectListing,
  accountId: string | null,
): Promise<FoundObjects> {
  const listed = { objects: 0, bytes: 0 }
  const unknown = { objects: 0, bytes: 0 }
  const orphans = new Map<string, Orphan & { readonly foundAt: Date | null }>()
  const prefixes = accountId === null ? ['public/', 'private/'] : accountPrefixes(accountId)
  for (const prefix of prefixes) {
    for await (const page of objects.pages(prefix)) {
      const owned = groupByOwner(page, unknown)
      const found = await deps.store.findOrphans(owned)
      for (const { index, hasFailed, ...orphan } of found) {
        const group = owned[index]
        if (group === undefined || (hasFailed && (await mayBeRestored(objects, orphan)))) continue
        const key = `${orphan.ownerId}/${orphan.attempt ?? ''}`
        const before = orphans.get(key) ?? { objects: 0, bytes: 0 }
        orphans.set(key, {
          ...orphan,
          objects: before.objects + group.objects,
          bytes: before.bytes + group.bytes,
        })
      }
      for (const { sizeBytes } of page) add(listed, sizeBytes)
      if (listed.objects % 100_000 < page.length) {
        deps.report(`${listed.objects} objects are compared with the database`)
      }
    }
  }
  return { listed, unknown, orphans: [...orphans.values()] }
}

const recordedAtOnce = 500

export async function recordOrphans(
  { store }: Pick<AdminDeps, 'store'>,
  orphans: readonly Orphan[],
): Promise<void> {
  for (let from = 0; from < orphans.length; from += recordedAtOnce) {
    await store.recordOrphans(orphans.slice(from, from + recordedAtOnce))
  }
}

function groupByOwner(
  page: readonly ListedObject[],
  unknown: BucketSize,
): (ObjectOwner & BucketSize)[] {
  const groups = new Map<string, ObjectOwner & BucketSize>()
  for (const { key, sizeBytes } of page) {
    const owner = ownerOfKey(key)
    if (owner === null) {
      add(unknown, sizeBytes)
      continue
    }
    const name = `${owner.accountId}/${owner.ownerId}/${owner.attempt ?? ''}`
    const group = groups.get(name) ?? { ...owner, objects: 0, bytes: 0 }
    add(group, sizeBytes)
    groups.set(name, group)
  }
  return [...groups.values()]
}

function add(size: BucketSize, bytes: number): void {
  size.objects += 1
  size.bytes += bytes
}

/** The operator records an end again from the result object of the attempt, and needs its objects then. */
async function mayBeRestored(
  objects: Pick<ObjectListing, 'head'>,
  { accountId, ownerId: commandId, attempt }: Omit<FoundOrphan, 'index' | 'hasFailed'>,
): Promise<boolean> {
  if (attempt === null) return false
  return (await objects.head(resultKey({ accountId, commandId, attempt }))) !== null
}
