import { createBatchedReads } from '../../reads/batched-reads.ts'
import type { KnownVersion } from '../../../common/store/command-states.ts'
import type { Store } from '../../../common/store/store.ts'

/** Whether the version of a command has changed. */
export function createVersionCheck(
  store: Pick<Store, 'findChanged'>,
): (known: KnownVersion) => Promise<boolean> {
  const changedOf = createBatchedReads(
    async (known: readonly KnownVersion[]) =>
      new Set((await store.findChanged(known)).map(({ commandId }) => commandId)),
  )
  return async (known) => (await changedOf(known)).has(known.commandId)
}
