import { countedPositions } from '../../../common/database/commands/queue-position.ts'
import type { CommandRecord } from '../../../common/store/commands.ts'
import type { Store } from '../../../common/store/store.ts'

/** The command's position in its account's queue; null if it is not in the queue. */
export type QueuePlaceOf = (command: CommandRecord) => Promise<number | null>

/**
 * A position near the front is counted with the record, by the order of the queue. A count of many
 * thousands by that order reads the rows themselves; so positions behind `countedPositions` are
 * counted in the index of the list, which does not know priorities.
 */
export function createQueuePlaces(deps: {
  readonly store: Pick<Store, 'countQueued'>
}): QueuePlaceOf {
  return async ({ accountId, commandId, queuePosition }) => {
    if (queuePosition === null || queuePosition <= countedPositions) return queuePosition
    const counted = await deps.store.countQueued({ accountId, commandId })
    return Math.max(countedPositions + 1, counted)
  }
}
