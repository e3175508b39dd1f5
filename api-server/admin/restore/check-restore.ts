import { AdminError } from '../command/admin-command.ts'
import { table } from '../command/table.ts'
import { findLost, markLost } from './find-lost.ts'
import { findOrphans, recordOrphans } from './find-orphans.ts'
import type { AdminDeps, AdminResult } from '../command/admin-command.ts'
import type { LostFile } from './find-lost.ts'
import type { FoundObjects } from './find-orphans.ts'

interface Wanted {
  readonly accounts: readonly { readonly accountId: string; readonly name: string }[]
  /** null: all accounts. */
  readonly only: string | null
  /** Marks files as lost although the bucket has the object of none. */
  readonly allLost: boolean
  readonly isRehearsal: boolean
}

/**
 * Compares the rows of stored files with the bucket, both ways, after one of the two was restored. It marks after it
 * has compared everything: an outage of the storage or a wrong bucket must not delete files.
 */
export async function checkRestore(deps: AdminDeps, wanted: Wanted): Promise<AdminResult> {
  const { current, compared } = await deps.store.readHistory()
  if (current !== compared) {
    throw new AdminError(
      'the operator has not compared the custom resources with the database since it was started or restored, and may still record commands again: start the operator, and repeat this in a minute',
    )
  }
  const { bucket, objects } = await deps.openObjects()
  try {
    const { files, lost } = await findLost(deps, objects, wanted.accounts)
    const found = await findOrphans(deps, objects, wanted.only)
    if (!wanted.isRehearsal) {
      if (lost.length === files && files > 0 && !wanted.allLost) {
        throw new AdminError(
          `bucket ${bucket} has the object of none of the ${files} stored files, so nothing was changed: check that it is the right bucket, or add --all-lost`,
        )
      }
      await markLost(deps, lost)
      await recordOrphans(deps, found.orphans)
    }
    return resultOf(files, lost, found)
  } finally {
    objects.close()
  }
}

function resultOf(files: number, lost: readonly LostFile[], found: FoundObjects): AdminResult {
  const { orphans, unknown } = found
  const fresh = orphans.filter(({ foundAt }) => foundAt === null)
  const sizes = { all: sumOf(orphans), new: sumOf(fresh) }
  return {
    text: [
      lostText(files, lost),
      orphans.length === 0
        ? `Each of ${found.listed.objects} objects belongs to a row.`
        : `${sizes.all.objects} objects (${sizes.all.bytes} bytes) of ${orphans.length} commands or files belong to no row, ${sizes.new.objects} of them found for the first time. The operator deletes them seven days after they were found, unless they belong to a row by then.`,
      ...(unknown.objects === 0
        ? []
        : [`${unknown.objects} objects (${unknown.bytes} bytes) are not of this service.`]),
    ].join('\n\n'),
    json: {
      files,
      lost: lost.map(({ fileId, account, key }) => ({ file_id: fileId, account, key })),
      objects: found.listed.objects,
      orphans: { owners: orphans.length, ...sizes.all, new_objects: sizes.new.objects },
      unknown_objects: unknown.objects,
    },
    failed: lost.length > 0 || fresh.length > 0,
  }
}

const shownRows = 50

function lostText(files: number, lost: readonly LostFile[]): string {
  if (lost.length === 0) return `Each of ${files} stored files has its object.`
  const rows = lost.slice(0, shownRows).map(({ account, fileId, key }) => [account, fileId, key])
  const more = lost.length - rows.length
  return [
    `${lost.length} of ${files} stored files are lost: their objects are missing.`,
    '',
    table(['ACCOUNT', 'FILE', 'KEY'], rows),
    ...(more === 0 ? [] : [`and ${more} more; --json shows all`]),
  ].join('\n')
}

function sumOf(orphans: FoundObjects['orphans']): { objects: number; bytes: number } {
  return {
    objects: orphans.reduce((sum, { objects }) => sum + objects, 0),
    bytes: orphans.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
