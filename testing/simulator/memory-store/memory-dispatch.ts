import { pauseOf } from './memory-accounts.ts'
import { accountOf, inQueueOrder, isEnded, rowsOf } from './memory-rows.ts'
import type { DispatchClaim } from '../../../common/store/dispatch.ts'
import type { CommandRow, Methods, Tables } from './memory-rows.ts'

const dispatchKey = 'the key of the memory store'

/** Claims of rows without a custom resource, and what becomes of them. */
export function memoryDispatch(tables: Tables, now: () => number) {
  return {
    claimUndispatched(claim) {
      return chooseClaimed(tables, claim, now()).map((row) => {
        row.leasedUntil = now() + claim.leaseSeconds * 1_000
        const accountName = accountOf(tables, row.submission.accountId).name
        const { jobGeneration, dispatchTries: tries } = row
        return { ...row.submission, accountName, dispatchKey, jobGeneration, tries }
      })
    },

    readDispatchKey: () => dispatchKey,

    markDispatched(commandId, resourceUid) {
      const row = tables.commands.get(commandId)
      if (row === undefined || row.dispatchedAt !== null) return
      row.dispatchedAt = row.unmirroredSince = now()
      row.resourceUid = resourceUid
      row.resourceDeletedAt = row.leasedUntil = null
    },

    recordDispatchFailure({ commandId, tries, definite, retrySeconds }) {
      const row = tables.commands.get(commandId)
      if (row === undefined || row.dispatchTries !== tries) return null
      if (row.dispatchedAt !== null || isEnded(row)) return null
      row.leasedUntil = null
      row.dispatchTries = Math.min(row.dispatchTries, 9_999) + 1
      row.dispatchRetryAt = now() + retrySeconds * 1_000
      if (definite) {
        row.dispatchDefinite = Math.min(row.dispatchDefinite, 9_999) + 1
        row.dispatchErrorSince ??= now()
      }
      const since = row.dispatchErrorSince ?? now()
      return { definite: row.dispatchDefinite, errorSeconds: (now() - since) / 1_000 }
    },
  } satisfies Partial<Methods>
}

function chooseClaimed(
  tables: Tables,
  { limit, liveLimit, lookAhead, retries }: DispatchClaim,
  nowMs: number,
): CommandRow[] {
  const live = rowsOf(tables).filter((row) => row.finishedAt === null)
  const useOf = ({ submission: { accountId } }: CommandRow) =>
    Math.floor(tables.shares.get(accountId)?.usedVcpuSeconds ?? 0)
  const undispatched = live.filter(
    (row) =>
      row.dispatchedAt === null && pauseOf(tables, 'dispatch', row.submission.accountId) === null,
  )
  const dispatched = live.filter((row) => row.dispatchedAt !== null)
  const isDue = ({ leasedUntil, dispatchRetryAt }: CommandRow) =>
    (leasedUntil === null || leasedUntil <= nowMs) &&
    (dispatchRetryAt === null || (retries && dispatchRetryAt <= nowMs))
  const accounts = new Set(undispatched.map((row) => row.submission.accountId))
  const share = Math.max(1, Math.ceil((2 * limit) / accounts.size))
  const heads = [...Map.groupBy(undispatched, laneOf)].flatMap(([lane, waiting]) => {
    const ahead = dispatched.filter((row) => laneOf(row) === lane)
    const room = lookAhead - ahead.filter((row) => row.admittedAt === null).length
    return waiting
      .filter(isDue)
      .toSorted(inQueueOrder)
      .slice(0, Math.max(0, Math.min(room, share)))
      .map((row, index) => ({ row, place: ahead.length + index + 1 }))
  })
  return heads
    .toSorted(
      (one, other) =>
        one.place - other.place ||
        useOf(one.row) - useOf(other.row) ||
        compareLanes(one.row, other.row),
    )
    .slice(0, Math.max(0, Math.min(limit, liveLimit - dispatched.length)))
    .map(({ row }) => row)
}

/** Stored files, which need no vCPUs, and commands of an account wait apart. */
function laneOf({ submission: { accountId, vcpuCount } }: CommandRow): string {
  return `${accountId} ${vcpuCount === 0}`
}

function compareLanes({ submission: one }: CommandRow, { submission: other }: CommandRow): number {
  const [a, b] = [one.accountId + one.commandId, other.accountId + other.commandId]
  return a < b ? -1 : a === b ? 0 : 1
}
