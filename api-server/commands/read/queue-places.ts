import { countedPositions } from '../../../common/database/commands/command-columns.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { QueueAnchor } from '../../../common/store/command-states.ts'
import type { CommandRecord } from '../../../common/store/commands.ts'
import type { Store } from '../../../common/store/store.ts'

/** The command's position in its account's queue; null if it is not in the queue. */
export type QueuePlaceOf = (command: CommandRecord) => Promise<number | null>

interface Anchors {
  readonly list: Promise<readonly QueueAnchor[]>
  /** Infinity while they are being read. */
  goodUntilMs: number
}

const anchorsForMs = 1_000
/** TTL as a multiple of the time of the walk: a backlog that is slow to walk is walked less often. */
const readingShare = 20

/**
 * A position near the front is counted with the record. In a backlog of many thousands, a count per
 * read would walk most of it; instead, a periodic walk caches every thousandth command as an anchor,
 * and each read counts from the anchor before its command.
 */
export function createQueuePlaces(deps: {
  readonly store: Pick<Store, 'findQueueAnchors' | 'countQueued'>
  readonly clock: Clock
}): QueuePlaceOf {
  const { store, clock } = deps
  const byAccount = new Map<string, Anchors>()

  return async (command) => {
    const { accountId, commandId, queuePosition } = command
    if (queuePosition === null || queuePosition <= countedPositions) return queuePosition
    const after = (await anchorsOf(accountId)).findLast((anchor) => isBefore(anchor, command))
    const behind = await store.countQueued({ accountId, after: after ?? null, commandId })
    return Math.max(1, (after?.position ?? 0) + behind)
  }

  function anchorsOf(accountId: string): Promise<readonly QueueAnchor[]> {
    const nowMs = clock.monotonicMs()
    const known = byAccount.get(accountId)
    if (known !== undefined && nowMs < known.goodUntilMs) return known.list
    for (const [id, { goodUntilMs }] of byAccount) if (nowMs >= goodUntilMs) byAccount.delete(id)
    const read: Anchors = {
      list: store.findQueueAnchors(accountId, countedPositions),
      goodUntilMs: Infinity,
    }
    byAccount.set(accountId, read)
    void read.list.then(
      () => {
        const endedMs = clock.monotonicMs()
        read.goodUntilMs = endedMs + Math.max(anchorsForMs, (endedMs - nowMs) * readingShare)
      },
      // The present caller gets the error; the next call reads again.
      () => byAccount.delete(accountId),
    )
    return read.list
  }
}

function isBefore(anchor: QueueAnchor, { createdAt, commandId }: CommandRecord): boolean {
  const [a, b] = [anchor.createdAt.toISOString(), createdAt.toISOString()]
  return a < b || (a === b && anchor.commandId < commandId)
}
